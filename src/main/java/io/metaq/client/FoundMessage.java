package io.metaq.client;

import io.metaq.codec.record.StoredMessage;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * A message that was looked up, with all that its record tells.
 *
 * @param message topic and queue as they were stored, body unpacked
 * @param messageId the id its producer gave it, empty text when it has none
 * @param offsetId the id by its place at its broker
 * @param broker name, or address when it was found by that
 * @param bornTimestampMs by the producer's clock, ms since 1970
 * @param bornHost {@code host:port} of the producer
 * @param storeTimestampMs by the broker's clock, ms since 1970
 * @param storeHost {@code host:port} of the broker
 * @param reconsumeTimes how often it was sent back
 * @param fault why the body could not be unpacked; it is as stored then
 */
public record FoundMessage(
    Message message,
    String messageId,
    String offsetId,
    String broker,
    int queueId,
    long queueOffset,
    long phyOffset,
    long bornTimestampMs,
    String bornHost,
    long storeTimestampMs,
    String storeHost,
    int reconsumeTimes,
    Optional<String> fault) {
  private static final int V4_BYTES = 4;

  static FoundMessage of(String broker, Received received) {
    StoredMessage stored = received.stored();
    Message unpacked = received.message();
    return new FoundMessage(
        new Message(stored.topic(), unpacked.body(), stored.properties(), stored.flag()),
        received.messageId(),
        new io.metaq.codec.remoting.MessageIds(stored.storeHost()).text(stored.phyOffset()),
        broker,
        stored.queueId(),
        stored.queueOffset(),
        stored.phyOffset(),
        stored.bornTimestamp(),
        host(stored.bornHost()),
        stored.storeTimestamp(),
        host(stored.storeHost()),
        stored.reconsumeTimes(),
        received.fault());
  }

  private static String host(byte[] stored) {
    int addressBytes = stored.length - Integer.BYTES;
    int port = ByteBuffer.wrap(stored).getInt(addressBytes);
    try {
      String host = InetAddress.getByAddress(Arrays.copyOf(stored, addressBytes)).getHostAddress();
      return (addressBytes == V4_BYTES ? host : "[" + host + "]") + ":" + port;
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("an address of " + addressBytes + " bytes", impossible);
    }
  }
}
