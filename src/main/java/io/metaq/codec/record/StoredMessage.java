package io.metaq.codec.record;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;

/**
 * A stored record taken apart, with copies of everything. For the client, for tools and for rare requests; hot paths read with
 * {@link RecordReader}.
 *
 * @param size bytes of the record
 * @param bornHost IP and port as stored, 8 or 20 bytes
 * @param storeHost IP and port as stored, 8 or 20 bytes
 * @param body as stored: compressed when the system flag says so
 * @param properties unmodifiable, in stored order
 */
public record StoredMessage(
    int size,
    String topic,
    int queueId,
    int flag,
    long queueOffset,
    long phyOffset,
    int sysFlag,
    long bornTimestamp,
    byte[] bornHost,
    long storeTimestamp,
    byte[] storeHost,
    int reconsumeTimes,
    long preparedTransactionOffset,
    int bodyCrc,
    byte[] body,
    Map<String, String> properties) {

  /** Takes the record that begins at the absolute place {@code at} apart; it must be sound. */
  public static StoredMessage decode(ByteBuffer bytes, int at) {
    return of(new RecordReader().wrap(bytes, at));
  }

  /** A copy of all that {@code reader} looks at. */
  public static StoredMessage of(RecordReader reader) {
    byte[] properties = reader.copy(reader.propertiesStart(), reader.propertiesLength());
    return new StoredMessage(
        reader.totalSize(),
        new String(reader.copy(reader.topicStart(), reader.topicLength()), StandardCharsets.UTF_8),
        reader.queueId(),
        reader.flag(),
        reader.queueOffset(),
        reader.phyOffset(),
        reader.sysFlag(),
        reader.bornTimestamp(),
        reader.bornHost(),
        reader.storeTimestamp(),
        reader.storeHost(),
        reader.reconsumeTimes(),
        reader.preparedTransactionOffset(),
        reader.bodyCrc(),
        reader.copy(reader.bodyStart(), reader.bodyLength()),
        Collections.unmodifiableMap(PropertiesText.decode(properties)));
  }

  /** The value of a property, empty text when it is absent: a stored value is never empty. */
  public String property(String name) {
    return properties.getOrDefault(name, "");
  }
}
