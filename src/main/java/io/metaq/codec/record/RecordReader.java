package io.metaq.codec.record;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/**
 * A view of one stored record inside a bigger buffer, moved from record to record without allocation. It reads where it is asked to and
 * trusts the lengths it finds: let {@link RecordCheck} look first at bytes that may be damaged.
 */
@OwnedBy("whoever made it")
public final class RecordReader {
  private ByteBuffer bytes;
  private int start;
  private int sysFlag;
  private int topicStart;
  private int topicLength;

  /** Looks at the record that begins at the absolute place {@code at}; the buffer's position and limit mean nothing. */
  public RecordReader wrap(ByteBuffer buffer, int at) {
    bytes = buffer;
    start = at;
    sysFlag = buffer.getInt(at + RecordLayout.SYS_FLAG);
    int topicLengthAt = bodyStart() + bodyLength();
    if (magic() == RecordLayout.MAGIC_V2) {
      topicLength = buffer.getShort(topicLengthAt);
      topicStart = topicLengthAt + 2;
    } else {
      topicLength = buffer.get(topicLengthAt);
      topicStart = topicLengthAt + 1;
    }
    return this;
  }

  public ByteBuffer bytes() {
    return bytes;
  }

  /** Absolute place of the record's first byte. */
  public int start() {
    return start;
  }

  public int totalSize() {
    return bytes.getInt(start);
  }

  public int magic() {
    return bytes.getInt(start + RecordLayout.MAGIC);
  }

  public int bodyCrc() {
    return bytes.getInt(start + RecordLayout.BODY_CRC);
  }

  public int queueId() {
    return bytes.getInt(start + RecordLayout.QUEUE_ID);
  }

  public int flag() {
    return bytes.getInt(start + RecordLayout.FLAG);
  }

  public long queueOffset() {
    return bytes.getLong(start + RecordLayout.QUEUE_OFFSET);
  }

  public long phyOffset() {
    return bytes.getLong(start + RecordLayout.PHY_OFFSET);
  }

  public int sysFlag() {
    return sysFlag;
  }

  public long bornTimestamp() {
    return bytes.getLong(start + RecordLayout.BORN_TIMESTAMP);
  }

  /** IP and port as stored: 8 or 20 bytes, copied. */
  public byte[] bornHost() {
    return copy(start + RecordLayout.BORN_HOST, RecordLayout.bornHostSize(sysFlag));
  }

  public long storeTimestamp() {
    return bytes.getLong(start + RecordLayout.storeTimestamp(sysFlag));
  }

  /** IP and port as stored: 8 or 20 bytes, copied. */
  public byte[] storeHost() {
    return copy(start + RecordLayout.storeHost(sysFlag), RecordLayout.storeHostSize(sysFlag));
  }

  public int reconsumeTimes() {
    return bytes.getInt(start + RecordLayout.reconsumeTimes(sysFlag));
  }

  public long preparedTransactionOffset() {
    return bytes.getLong(start + RecordLayout.preparedTransactionOffset(sysFlag));
  }

  public int bodyLength() {
    return bytes.getInt(start + RecordLayout.bodyLength(sysFlag));
  }

  /** Absolute place of the body. */
  public int bodyStart() {
    return start + RecordLayout.body(sysFlag);
  }

  public int topicLength() {
    return topicLength;
  }

  /** Absolute place of the topic's bytes. */
  public int topicStart() {
    return topicStart;
  }

  public int propertiesLength() {
    return bytes.getShort(topicStart + topicLength);
  }

  /** Absolute place of the properties' bytes. */
  public int propertiesStart() {
    return topicStart + topicLength + 2;
  }

  byte[] copy(int at, int length) {
    byte[] copied = new byte[length];
    bytes.get(at, copied, 0, length);
    return copied;
  }
}
