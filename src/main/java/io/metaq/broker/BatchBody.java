package io.metaq.broker;

import io.metaq.codec.record.PropertiesText;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/**
 * Walks over the messages in the body of a SEND_BATCH_MESSAGE request.
 *
 * <pre>
 *   0       4       8       12      16        20
 *   +-------+-------+-------+-------+---------+------+-------------+------------+
 *   | size  | magic | crc   | flag  | bodyLen | body | propsLen 16 | properties |
 *   +-------+-------+-------+-------+---------+------+-------------+------------+
 * </pre>
 *
 * size counts the whole message, itself included; magic and crc are 0 and not looked at.
 */
@OwnedBy("its event loop")
final class BatchBody {
  private static final int HEAD_BYTES = 20;
  private static final int SMALLEST = HEAD_BYTES + 2;

  private ByteBuffer bytes;
  private int at;
  private int end;
  private byte[] properties = new byte[256];
  private int propertiesLength;
  private ByteBuffer body;
  private int count;

  /** What is wrong with the form of the batch, as a sentence; null when every message is whole. */
  String check(ByteBuffer batch) {
    count = 0;
    int place = batch.position();
    int limit = batch.limit();
    if (place == limit) {
      return "the batch holds no message";
    }
    for (int number = 1; place < limit; number++) {
      int left = limit - place;
      int size = left < SMALLEST ? 0 : batch.getInt(place);
      int bodyLength = size < SMALLEST || size > left ? -1 : batch.getInt(place + 16);
      if (bodyLength < 0 || bodyLength > size - SMALLEST) {
        return "the batch is cut or damaged at message " + number;
      }
      int propertiesBytes = batch.getShort(place + HEAD_BYTES + bodyLength);
      if (propertiesBytes != size - SMALLEST - bodyLength) {
        return "the properties of message " + number + " of the batch do not fit its size (at most " + PropertiesText.MAX_BYTES + " bytes are allowed)";
      }
      place += size;
      count = number;
    }
    return null;
  }

  /** How many messages the batch has that was checked last. */
  int count() {
    return count;
  }

  /** Bytes of all bodies and properties of the batch that was checked last, which is {@code batch}. */
  int contentBytes(ByteBuffer batch) {
    return batch.remaining() - count * SMALLEST;
  }

  /** Stands on the first message of a checked batch; always true. */
  boolean first(ByteBuffer batch) {
    bytes = batch;
    body = batch.duplicate();
    at = batch.position();
    end = batch.limit();
    read();
    return true;
  }

  /** Moves to the next message; false behind the last. */
  boolean next() {
    at += bytes.getInt(at);
    if (at >= end) {
      return false;
    }
    read();
    return true;
  }

  int flag() {
    return bytes.getInt(at + 12);
  }

  /** The body, from position to limit, until the next move. */
  ByteBuffer body() {
    return body;
  }

  /** The properties, valid from 0 to {@link #propertiesLength()} until the next move. */
  byte[] properties() {
    return properties;
  }

  int propertiesLength() {
    return propertiesLength;
  }

  private void read() {
    int bodyLength = bytes.getInt(at + 16);
    body.limit(at + HEAD_BYTES + bodyLength).position(at + HEAD_BYTES);
    propertiesLength = bytes.getShort(at + HEAD_BYTES + bodyLength);
    if (propertiesLength > properties.length) {
      properties = new byte[propertiesLength];
    }
    bytes.get(at + HEAD_BYTES + bodyLength + 2, properties, 0, propertiesLength);
  }
}
