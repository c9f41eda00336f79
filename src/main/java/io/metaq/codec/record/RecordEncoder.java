package io.metaq.codec.record;

import io.metaq.model.OwnedBy;
import io.metaq.model.SysFlag;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Writes one stored record, with holes (zeros) for what only the commit log's writer knows: queue offset, physical offset, store time.
 * Reusable: set the fields, ask for the {@link #size()}, then {@link #writeTo}. The layout is drawn in {@link RecordLayout}.
 */
@OwnedBy("the sender that encodes with it")
public final class RecordEncoder {
  private static final int MAGIC = 0xDAA320A7;
  private static final int MAGIC_LONG_TOPIC = 0xDAA320AB;
  private static final int MAX_SHORT_TOPIC = 127;
  private static final int V6_HOST_BYTES = 20;

  /** All fields but the two hosts, the topic with its length, the body and the properties. */
  private static final int FIXED_BYTES = 74;

  private final byte[] storeHost;
  private final CRC32 crc = new CRC32();

  private byte[] topic;
  private int topicStart;
  private int topicLength;
  private byte[] properties;
  private int propertiesStart;
  private int propertiesLength;
  private ByteBuffer body;
  private byte[] bornHost;
  private long bornTimestamp;
  private int queueId;
  private int flag;
  private int sysFlag;
  private int reconsumeTimes;
  private long preparedOffset;

  /**
   * @param storeHost the broker's advertised address: 4 or 16 bytes of IP, then the port as i32
   */
  public RecordEncoder(byte[] storeHost) {
    this.storeHost = storeHost.clone();
  }

  public RecordEncoder topic(byte[] bytes, int from, int length) {
    topic = bytes;
    topicStart = from;
    topicLength = length;
    return this;
  }

  /** The properties' text; at most {@link PropertiesText#MAX_BYTES} bytes, checked by the caller. */
  public RecordEncoder properties(byte[] bytes, int from, int length) {
    properties = bytes;
    propertiesStart = from;
    propertiesLength = length;
    return this;
  }

  /** The body from position to limit; neither is moved. */
  public RecordEncoder body(ByteBuffer bytes) {
    body = bytes;
    return this;
  }

  /**
   * @param host 8 or 20 bytes as they are stored
   * @param timestamp ms
   */
  public RecordEncoder born(byte[] host, long timestamp) {
    bornHost = host;
    bornTimestamp = timestamp;
    return this;
  }

  /** The address bits of {@code sysFlags} are set here from the real addresses, whatever they were. */
  public RecordEncoder message(int queue, int userFlag, int sysFlags, int reconsumed, long preparedPhyOffset) {
    queueId = queue;
    flag = userFlag;
    sysFlag = sysFlags;
    reconsumeTimes = reconsumed;
    preparedOffset = preparedPhyOffset;
    return this;
  }

  /** Bytes of the record. */
  public int size() {
    return FIXED_BYTES
        + bornHost.length
        + storeHost.length
        + body.remaining()
        + (longTopic() ? 2 : 1)
        + topicLength
        + propertiesLength;
  }

  /** Writes the record into {@code to} from {@code start} on, by absolute access; returns its size. */
  public int writeTo(ByteBuffer to, int start) {
    int size = size();
    int at = start;
    to.putInt(at, size);
    to.putInt(at + 4, longTopic() ? MAGIC_LONG_TOPIC : MAGIC);
    to.putInt(at + 8, bodyCrc());
    to.putInt(at + 12, queueId);
    to.putInt(at + 16, flag);
    to.putLong(at + 20, 0);
    to.putLong(at + 28, 0);
    to.putInt(at + 36, sysFlagWithHosts());
    to.putLong(at + 40, bornTimestamp);
    to.put(at + 48, bornHost);
    at += 48 + bornHost.length;
    to.putLong(at, 0);
    to.put(at + 8, storeHost);
    at += 8 + storeHost.length;
    to.putInt(at, reconsumeTimes);
    to.putLong(at + 4, preparedOffset);
    int bodyLength = body.remaining();
    to.putInt(at + 12, bodyLength);
    to.put(at + 16, body, body.position(), bodyLength);
    at += 16 + bodyLength;
    if (longTopic()) {
      to.putShort(at, (short) topicLength);
      at += 2;
    } else {
      to.put(at++, (byte) topicLength);
    }
    to.put(at, topic, topicStart, topicLength);
    at += topicLength;
    to.putShort(at, (short) propertiesLength);
    to.put(at + 2, properties, propertiesStart, propertiesLength);
    return size;
  }

  private boolean longTopic() {
    return topicLength > MAX_SHORT_TOPIC;
  }

  private int sysFlagWithHosts() {
    int bits = sysFlag & ~(SysFlag.BORN_HOST_V6 | SysFlag.STORE_HOST_V6);
    if (bornHost.length == V6_HOST_BYTES) {
      bits |= SysFlag.BORN_HOST_V6;
    }
    if (storeHost.length == V6_HOST_BYTES) {
      bits |= SysFlag.STORE_HOST_V6;
    }
    return bits;
  }

  /** CRC-32 of the body as it is stored, top bit cleared; 0 for an empty one. */
  private int bodyCrc() {
    if (!body.hasRemaining()) {
      return 0;
    }
    int position = body.position();
    crc.reset();
    crc.update(body);
    body.position(position);
    return (int) crc.getValue() & Integer.MAX_VALUE;
  }
}
