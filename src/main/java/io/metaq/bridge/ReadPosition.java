package io.metaq.bridge;

import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/**
 * Where a reader of a topic is in each of its queues, and the text that a browser keeps of it. The text is opaque to its holder and fits
 * into URLs and headers.
 *
 * <pre>
 *   Base64, URL alphabet, no padding, of:
 *   version u8 = 1 | CRC-32 of the topic's name i32 | brokers u16
 *     { name UTF | queues u16 { queueId i32 | next queueOffset i64 } } | CRC-32 of all before i32
 * </pre>
 */
@OwnedBy("BridgeVerticle")
final class ReadPosition {
  private static final int VERSION = 1;
  private static final int MAX_TEXT = 64 << 10;
  /** So that no text makes a sum overflow. */
  private static final long MOST_OFFSET = 1L << 50;

  private final String topic;
  private final Map<TopicQueue, Long> next;
  private long sum;

  private ReadPosition(String topic, Map<TopicQueue, Long> next) {
    this.topic = topic;
    this.next = next;
    next.values().forEach(offset -> sum += offset);
  }

  /** @param offsets of the next message in each queue */
  static ReadPosition of(String topic, Map<TopicQueue, Long> offsets) {
    return new ReadPosition(topic, new HashMap<>(offsets));
  }

  /** @throws BridgeException {@code INVALID_POSITION} when the text is none of this topic */
  static ReadPosition parse(String topic, String text) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(text.length() > MAX_TEXT ? "" : text);
      int end = bytes.length - Integer.BYTES;
      if (end > 0 && ByteBuffer.wrap(bytes).getInt(end) == checksum(Arrays.copyOf(bytes, end))) {
        return read(topic, new DataInputStream(new ByteArrayInputStream(bytes, 0, end)));
      }
    } catch (IllegalArgumentException | IOException unreadable) {
      // told below, as every other text that is none
    }
    throw Fault.INVALID_POSITION.because("the position is none that this server gave out");
  }

  private static ReadPosition read(String topic, DataInputStream in) throws IOException {
    if (in.readUnsignedByte() != VERSION || in.readInt() != checksum(topic.getBytes(StandardCharsets.UTF_8))) {
      throw Fault.INVALID_POSITION.because("the position was given out for another topic");
    }
    Map<TopicQueue, Long> next = new HashMap<>();
    for (int brokers = in.readUnsignedShort(); brokers > 0; brokers--) {
      String broker = in.readUTF();
      for (int queues = in.readUnsignedShort(); queues > 0; queues--) {
        next.put(new TopicQueue(topic, broker, in.readInt()), Math.max(0, Math.min(in.readLong(), MOST_OFFSET)));
      }
    }
    return of(topic, next);
  }

  Map<TopicQueue, Long> offsets() {
    return Map.copyOf(next);
  }

  /** A message went out; those of other topics, as of retries, do not count. */
  void passed(TopicQueue queue, long queueOffset) {
    if (queue.topic().equals(topic)) {
      Long before = next.put(queue, queueOffset + 1);
      sum += queueOffset + 1 - (before == null ? 0 : before);
    }
  }

  /** Another one that goes its own way from here. */
  ReadPosition copy() {
    return of(topic, next);
  }

  /** The same, but in no queue behind its end: one of a topic that was deleted and made again goes on with the new one. */
  ReadPosition within(Map<TopicQueue, Long> ends) {
    Map<TopicQueue, Long> inside = new HashMap<>(next);
    ends.forEach((queue, end) -> inside.computeIfPresent(queue, (same, offset) -> Math.min(offset, end)));
    return of(topic, inside);
  }

  /** Whether a message is still to come. */
  boolean isBefore(TopicQueue queue, long queueOffset) {
    return next.getOrDefault(queue, 0L) <= queueOffset;
  }

  /** Whether it is there or further in every queue. */
  boolean reached(ReadPosition other) {
    if (sum < other.sum) {
      return false;
    }
    for (Map.Entry<TopicQueue, Long> queue : other.next.entrySet()) {
      if (isBefore(queue.getKey(), queue.getValue() - 1)) {
        return false;
      }
    }
    return true;
  }

  /** Of all its offsets: of two readers of a topic, the one that has passed more has the larger. */
  long sum() {
    return sum;
  }

  /** Messages before these offsets that are still to come, of any filter. */
  long distance(Map<TopicQueue, Long> offsets) {
    long all = 0;
    for (Map.Entry<TopicQueue, Long> queue : offsets.entrySet()) {
      all += Math.max(0, queue.getValue() - next.getOrDefault(queue.getKey(), 0L));
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReadPosition position && sum == position.sum && topic.equals(position.topic) && next.equals(position.next);
  }

  @Override
  public int hashCode() {
    return next.hashCode();
  }

  String text() {
    Map<String, Map<Integer, Long>> byBroker = new TreeMap<>();
    next.forEach((queue, offset) -> byBroker.computeIfAbsent(queue.broker(), name -> new TreeMap<>()).put(queue.queueId(), offset));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeInt(checksum(topic.getBytes(StandardCharsets.UTF_8)));
      out.writeShort(byBroker.size());
      for (var broker : byBroker.entrySet()) {
        out.writeUTF(broker.getKey());
        out.writeShort(broker.getValue().size());
        for (var queue : broker.getValue().entrySet()) {
          out.writeInt(queue.getKey());
          out.writeLong(queue.getValue());
        }
      }
      out.writeInt(checksum(bytes.toByteArray()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  private static int checksum(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
