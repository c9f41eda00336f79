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
    return RecordLayout.size(
        sysFlagWithHosts(), RecordLayout.magicFor(topicLength), body.remaining(), topicLength, propertiesLength);
  }

  /** Writes the record into {@code to} from {@code start} on, by absolute access; returns its size. */
  public int writeTo(ByteBuffer to, int start) {
    int size = size();
    int magic = RecordLayout.magicFor(topicLength);
    int flags = sysFlagWithHosts();
    int bodyLength = body.remaining();
    to.putInt(start + RecordLayout.TOTAL_SIZE, size);
    to.putInt(start + RecordLayout.MAGIC, magic);
    to.putInt(start + RecordLayout.BODY_CRC, bodyCrc());
    to.putInt(start + RecordLayout.QUEUE_ID, queueId);
    to.putInt(start + RecordLayout.FLAG, flag);
    to.putLong(start + RecordLayout.QUEUE_OFFSET, 0);
    to.putLong(start + RecordLayout.PHY_OFFSET, 0);
    to.putInt(start + RecordLayout.SYS_FLAG, flags);
    to.putLong(start + RecordLayout.BORN_TIMESTAMP, bornTimestamp);
    to.put(start + RecordLayout.BORN_HOST, bornHost);
    to.putLong(start + RecordLayout.storeTimestamp(flags), 0);
    to.put(start + RecordLayout.storeHost(flags), storeHost);
    to.putInt(start + RecordLayout.reconsumeTimes(flags), reconsumeTimes);
    to.putLong(start + RecordLayout.preparedTransactionOffset(flags), preparedOffset);
    to.putInt(start + RecordLayout.bodyLength(flags), bodyLength);
    int at = start + RecordLayout.body(flags);
    to.put(at, body, body.position(), bodyLength);
    at += bodyLength;
    if (magic == RecordLayout.MAGIC_V2) {
      to.putShort(at, (short) topicLength);
    } else {
      to.put(at, (byte) topicLength);
    }
    at += RecordLayout.topicLengthSize(magic);
    to.put(at, topic, topicStart, topicLength);
    at += topicLength;
    to.putShort(at, (short) propertiesLength);
    to.put(at + 2, properties, propertiesStart, propertiesLength);
    return size;
  }

  private int sysFlagWithHosts() {
    int bits = sysFlag & ~(SysFlag.BORN_HOST_V6 | SysFlag.STORE_HOST_V6);
    if (bornHost.length == RecordLayout.HOST_V6_SIZE) {
      bits |= SysFlag.BORN_HOST_V6;
    }
    if (storeHost.length == RecordLayout.HOST_V6_SIZE) {
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
