package io.metaq.codec.store;

/**
 * One file of the key index, big-endian: a header, hash slots, entries. The entries of a slot are chained from the newest to the oldest.
 *
 * <pre>
 *   0                8              16               24             32              36          40
 *   +----------------+--------------+----------------+--------------+---------------+-----------+
 *   | beginTimestamp | endTimestamp | beginPhyOffset | endPhyOffset | hashSlotCount | nextEntry |
 *   +----------------+--------------+----------------+--------------+---------------+-----------+
 *   40 + 4 * s: slot s, i32: number of its newest entry, 0 = none
 *   40 + 4 * slots + 20 * e: entry e
 *   0         4               12         16              20
 *   +---------+---------------+----------+---------------+
 *   | keyHash | phyOffset     | timeDiff | previousEntry |
 *   +---------+---------------+----------+---------------+
 * </pre>
 *
 * <ul>
 *   <li>begin and end: store time (ms) and log position of the first and of the last entry
 *   <li>hashSlotCount: slots in use
 *   <li>nextEntry: number the next entry gets; begins at 1, so entry 0 is never used
 *   <li>keyHash: {@link #keyHash}; only hashes are stored, so a reader compares topic and key in the record
 *   <li>timeDiff: whole seconds since beginTimestamp, between 0 and the largest i32
 * </ul>
 *
 * <p>Worked example: key {@code k1} of topic {@code TopicTest} has the hash 2746024 of {@code TopicTest#k1} and, with 5,000,000 slots,
 * slot 2746024 at byte 10984136. After a crash: slots are made again from the entries that a checkpoint covers, later entries from the
 * log. Source: protocol facts on the store; checked against a store of Apache RocketMQ 5.5.0.
 */
public final class IndexLayout {
  public static final int BEGIN_TIMESTAMP = 0;
  public static final int END_TIMESTAMP = 8;
  public static final int BEGIN_PHY_OFFSET = 16;
  public static final int END_PHY_OFFSET = 24;
  public static final int HASH_SLOT_COUNT = 32;
  public static final int NEXT_ENTRY = 36;
  public static final int HEADER_SIZE = 40;

  public static final int SLOT_SIZE = 4;

  public static final int ENTRY_SIZE = 20;
  public static final int KEY_HASH = 0;
  public static final int PHY_OFFSET = 4;
  public static final int TIME_DIFF = 12;
  public static final int PREVIOUS_ENTRY = 16;

  private IndexLayout() {}

  /** Bytes of a file. */
  public static int fileSize(int slots, int entries) {
    return HEADER_SIZE + slots * SLOT_SIZE + entries * ENTRY_SIZE;
  }

  /** Place of a slot. */
  public static int slot(int slot) {
    return HEADER_SIZE + slot * SLOT_SIZE;
  }

  /** Place of an entry in a file of so many slots. */
  public static int entry(int slots, int entry) {
    return HEADER_SIZE + slots * SLOT_SIZE + entry * ENTRY_SIZE;
  }

  /** The hash that is stored for a key: the Java string hash of {@code topic#key} without its sign, 0 for the one that has no positive. */
  public static int keyHash(int javaHash) {
    int hash = Math.abs(javaHash);
    return hash < 0 ? 0 : hash;
  }

  /** Time of an entry as it is stored. */
  public static int timeDiff(long beginTimestamp, long timestamp) {
    if (beginTimestamp <= 0) {
      return 0;
    }
    return (int) Math.max(0, Math.min(Integer.MAX_VALUE, (timestamp - beginTimestamp) / 1000));
  }
}
