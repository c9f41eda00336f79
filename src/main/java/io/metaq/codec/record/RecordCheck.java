package io.metaq.codec.record;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Decides whether a record stands at a place, for scans over bytes that a crash may have torn. The order of the checks is that of the
 * protocol facts (record check when scanning), with one more: the record must name the very place it lies at, so bytes left over from
 * another place never pass.
 *
 * <p>Properties have no checksum. A power cut may leave a page of them unwritten, which reads as zeros, while everything else of the record
 * is there. A slave writes the log in the pieces it gets, so a kill may leave any end of a record unwritten. So a record that nothing sound
 * follows is broken when a page's part of its properties is all zeros, or their last byte is. With a record behind it, it was written
 * before that one, and then the zeros are the sender's.
 */
@OwnedBy("whoever made it")
public final class RecordCheck {
  /** What stands at a place. */
  public enum Verdict {
    /** A whole, sound record; {@link #size()} bytes. */
    RECORD,
    /** The marker that the rest of the file is unused; go on in the next file. */
    BLANK,
    /** Nothing was written here. */
    EMPTY,
    /** Something else: torn or damaged. */
    BROKEN
  }

  private static final int PAGE = 4096;

  private final boolean withCrc;
  private final CRC32 crc = new CRC32();
  private int size;
  private String fault = "";

  /**
   * A check.
   *
   * @param withCrc whether bodies are compared with their checksum
   */
  public RecordCheck(boolean withCrc) {
    this.withCrc = withCrc;
  }

  /**
   * Looks at one place.
   *
   * @param bytes a file of the log; position is not used and not changed
   * @param at absolute place in {@code bytes}
   * @param limit where the file ends
   * @param phyOffset the log position of {@code at}
   */
  public Verdict check(ByteBuffer bytes, int at, int limit, long phyOffset) {
    size = 0;
    fault = "";
    if (limit - at < RecordLayout.BLANK_SIZE) {
      return limit - at < 4 || bytes.getInt(at) == 0 ? Verdict.EMPTY : broken("less than a marker is left in the file");
    }
    int total = bytes.getInt(at);
    int magic = bytes.getInt(at + RecordLayout.MAGIC);
    if (magic == RecordLayout.MAGIC_BLANK) {
      return Verdict.BLANK;
    }
    if (magic != RecordLayout.MAGIC_V1 && magic != RecordLayout.MAGIC_V2) {
      return total == 0 && magic == 0 ? Verdict.EMPTY : broken("no record begins here");
    }
    if (total < RecordLayout.FIXED_SIZE || total > limit - at) {
      return broken("its size " + total + " does not fit");
    }
    return fields(bytes, at, limit, total, magic, phyOffset);
  }

  /** Bytes of the record found last. */
  public int size() {
    return size;
  }

  /** Why the last verdict was {@link Verdict#BROKEN}, a clause for people. */
  public String fault() {
    return fault;
  }

  private Verdict fields(ByteBuffer bytes, int at, int limit, int total, int magic, long phyOffset) {
    if (bytes.getLong(at + RecordLayout.PHY_OFFSET) != phyOffset) {
      return broken("it says to lie at " + bytes.getLong(at + RecordLayout.PHY_OFFSET));
    }
    long queueOffset = bytes.getLong(at + RecordLayout.QUEUE_OFFSET);
    if (bytes.getInt(at + RecordLayout.QUEUE_ID) < 0 || queueOffset < 0 || queueOffset > RecordLayout.MAX_QUEUE_OFFSET) {
      return broken("its queue id or queue offset is out of range");
    }
    int sysFlag = bytes.getInt(at + RecordLayout.SYS_FLAG);
    int end = at + total;
    int bodyAt = at + RecordLayout.body(sysFlag);
    int lengthSize = RecordLayout.topicLengthSize(magic);
    if (bodyAt + lengthSize + 2 > end) {
      return broken("its size " + total + " is too small for its addresses");
    }
    int bodyLength = bytes.getInt(at + RecordLayout.bodyLength(sysFlag));
    if (bodyLength < 0 || bodyLength > end - bodyAt - lengthSize - 2) {
      return broken("its body length " + bodyLength + " does not fit");
    }
    int topicLengthAt = bodyAt + bodyLength;
    int topicLength = lengthSize == 2 ? bytes.getShort(topicLengthAt) : bytes.get(topicLengthAt);
    int propertiesLengthAt = topicLengthAt + lengthSize + topicLength;
    if (topicLength < 0 || propertiesLengthAt + 2 > end) {
      return broken("its topic length " + topicLength + " does not fit");
    }
    int propertiesLength = bytes.getShort(propertiesLengthAt);
    if (propertiesLength < 0 || propertiesLengthAt + 2 + propertiesLength != end) {
      return broken("its parts do not add up to its size " + total);
    }
    if (withCrc && bodyLength > 0 && bodyCrc(bytes, bodyAt, bodyLength) != bytes.getInt(at + RecordLayout.BODY_CRC)) {
      return broken("the checksum of its body is wrong");
    }
    boolean unwritten = propertiesLength > 0 && bytes.get(end - 1) == 0 || hasUnwrittenPage(bytes, propertiesLengthAt + 2, end);
    if (unwritten && !isFollowed(bytes, end, limit)) {
      return broken("its properties were not written as a whole");
    }
    size = total;
    return Verdict.RECORD;
  }

  /** Whether the part of {@code [from, to)} in one page is zero; files begin with a page, so places in them tell the pages. */
  private static boolean hasUnwrittenPage(ByteBuffer bytes, int from, int to) {
    int at = from;
    while (at < to) {
      int pageEnd = Math.min(to, at - at % PAGE + PAGE);
      if (isZero(bytes, at, pageEnd)) {
        return true;
      }
      at = pageEnd;
    }
    return false;
  }

  private static boolean isZero(ByteBuffer bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether a record or a marker begins at {@code at}, or the file ends there. */
  private static boolean isFollowed(ByteBuffer bytes, int at, int limit) {
    if (limit - at < RecordLayout.BLANK_SIZE) {
      return true;
    }
    int magic = bytes.getInt(at + RecordLayout.MAGIC);
    return magic == RecordLayout.MAGIC_V1 || magic == RecordLayout.MAGIC_V2 || magic == RecordLayout.MAGIC_BLANK;
  }

  private int bodyCrc(ByteBuffer bytes, int bodyAt, int bodyLength) {
    crc.reset();
    crc.update(bytes.slice(bodyAt, bodyLength));
    return (int) crc.getValue() & 0x7FFFFFFF;
  }

  private Verdict broken(String why) {
    fault = why;
    return Verdict.BROKEN;
  }
}
