package io.metaq.codec.record;

import io.metaq.model.SysFlag;

/**
 * Where the fields of a stored message record lie. Big-endian, signed; records lie back to back without padding.
 *
 * <pre>
 *   0           4       8         12        16     20            28            36        40
 *   +-----------+-------+---------+---------+------+-------------+-------------+---------+---------------+
 *   | totalSize | magic | bodyCrc | queueId | flag | queueOffset | phyOffset   | sysFlag | bornTimestamp |
 *   +-----------+-------+---------+---------+------+-------------+-------------+---------+---------------+
 *   48                56 (68)          64 (76)             72 (84, 96)      76               84
 *   +-----------------+----------------+-------------------+----------------+----------------+------------+
 *   | bornHost 8 (20) | storeTimestamp | storeHost 8 (20)  | reconsumeTimes | preparedOffset | bodyLength |
 *   +-----------------+----------------+-------------------+----------------+----------------+------------+
 *   88     88 + body
 *   +------+-----------------------------+-------+----------------------+------------+
 *   | body | topicLength u8, in V2 i16   | topic | propertiesLength i16 | properties |
 *   +------+-----------------------------+-------+----------------------+------------+
 * </pre>
 *
 * <p>Places from 48 on are those of two IPv4 addresses; each IPv6 address (told by the system flag) lengthens its host by 12 bytes and
 * moves all that follows. {@code bodyCrc} is the CRC-32 of the body with the top bit cleared, 0 for an empty body. A file of the
 * commit log ends with a blank marker: i32 bytes left in the file, i32 {@link #MAGIC_BLANK}; what follows it means nothing.
 *
 * <p>After a crash: the last record may be torn; {@link RecordCheck} finds it and recovery cuts there. Source: protocol facts on the
 * message record; checked with bytes of Apache RocketMQ 5.5.0.
 */
public final class RecordLayout {
  /** Marks a record whose topic length takes one byte. */
  public static final int MAGIC_V1 = 0xDAA320A7;
  /** Marks a record whose topic length takes two bytes. */
  public static final int MAGIC_V2 = 0xDAA320AB;
  /** Marks the rest of a file that holds no record. */
  public static final int MAGIC_BLANK = 0xCBD43194;
  /** Bytes of the blank marker; so many are always left behind the last record of a file. */
  public static final int BLANK_SIZE = 8;

  public static final int TOTAL_SIZE = 0;
  public static final int MAGIC = 4;
  public static final int BODY_CRC = 8;
  public static final int QUEUE_ID = 12;
  public static final int FLAG = 16;
  public static final int QUEUE_OFFSET = 20;
  public static final int PHY_OFFSET = 28;
  public static final int SYS_FLAG = 36;
  public static final int BORN_TIMESTAMP = 40;
  public static final int BORN_HOST = 48;

  /** Bytes of an IPv4 and of an IPv6 address with its port. */
  public static final int HOST_V4_SIZE = 8;
  public static final int HOST_V6_SIZE = 20;
  /** Size of a V1 record with two IPv4 hosts and nothing in body, topic and properties. */
  public static final int FIXED_SIZE = 91;
  /** Bytes in front of the body of a record with two IPv6 hosts: no head is longer. */
  public static final int MAX_HEAD = body(SysFlag.BORN_HOST_V6 | SysFlag.STORE_HOST_V6);
  /** Highest number of a message in its queue: places of a queue's units, in bytes, are counted in a long. */
  public static final long MAX_QUEUE_OFFSET = Long.MAX_VALUE / 64;
  /** Longest topic, in bytes, that a V1 record can name. */
  public static final int MAX_V1_TOPIC = 127;
  /** Longest encoded properties, in bytes. */
  public static final int MAX_PROPERTIES = Short.MAX_VALUE;

  private RecordLayout() {}

  public static int bornHostSize(int sysFlag) {
    return (sysFlag & SysFlag.BORN_HOST_V6) == 0 ? HOST_V4_SIZE : HOST_V6_SIZE;
  }

  public static int storeHostSize(int sysFlag) {
    return (sysFlag & SysFlag.STORE_HOST_V6) == 0 ? HOST_V4_SIZE : HOST_V6_SIZE;
  }

  /** Place of the store timestamp in a record with this system flag. */
  public static int storeTimestamp(int sysFlag) {
    return BORN_HOST + bornHostSize(sysFlag);
  }

  public static int storeHost(int sysFlag) {
    return storeTimestamp(sysFlag) + 8;
  }

  public static int reconsumeTimes(int sysFlag) {
    return storeHost(sysFlag) + storeHostSize(sysFlag);
  }

  public static int preparedTransactionOffset(int sysFlag) {
    return reconsumeTimes(sysFlag) + 4;
  }

  public static int bodyLength(int sysFlag) {
    return preparedTransactionOffset(sysFlag) + 8;
  }

  public static int body(int sysFlag) {
    return bodyLength(sysFlag) + 4;
  }

  /** The magic code a record of a topic of so many bytes is written with. */
  public static int magicFor(int topicLength) {
    return topicLength > MAX_V1_TOPIC ? MAGIC_V2 : MAGIC_V1;
  }

  /** Bytes that the length of the topic takes under this magic code. */
  public static int topicLengthSize(int magic) {
    return magic == MAGIC_V2 ? 2 : 1;
  }

  /** Total size of a record. */
  public static int size(int sysFlag, int magic, int bodyLength, int topicLength, int propertiesLength) {
    return body(sysFlag) + bodyLength + topicLengthSize(magic) + topicLength + 2 + propertiesLength;
  }
}
