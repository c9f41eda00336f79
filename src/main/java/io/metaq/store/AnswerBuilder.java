package io.metaq.store;

import io.metaq.codec.record.RecordLayout;
import io.metaq.model.RecordFilter;
import java.nio.ByteBuffer;
import java.util.List;

/** Collects the records of one read. What is no record is not taken. */
interface AnswerBuilder {
  /** What came of adding a record. */
  enum Added {
    ADDED,
    /** The filter does not want it. */
    UNWANTED,
    /** Its file was deleted. */
    GONE,
    /** Something else lies there: the queue or the log is damaged. */
    NO_RECORD,
    /** There is no memory for it here. */
    NO_ROOM
  }

  /** Adds the record of {@code size} bytes at {@code phyOffset} if it is wanted. */
  Added add(long phyOffset, int size, RecordFilter filter);

  int count();

  int bytes();

  /** Everything added; the caller releases it. */
  List<RecordSlice> slices();

  /** Gives back what was added, where nobody asks for the slices. */
  void discard();

  /**
   * Looks at what no stray bytes have by chance: size, magic, and the place itself.
   *
   * @param at where the record begins in {@code bytes}
   * @param room bytes from there on that may belong to it
   */
  static boolean isRecord(ByteBuffer bytes, int at, int room, long phyOffset, int size) {
    if (size < RecordLayout.FIXED_SIZE || size > room) {
      return false;
    }
    int magic = bytes.getInt(at + RecordLayout.MAGIC);
    return bytes.getInt(at) == size
        && (magic == RecordLayout.MAGIC_V1 || magic == RecordLayout.MAGIC_V2)
        && bytes.getLong(at + RecordLayout.PHY_OFFSET) == phyOffset;
  }
}
