package io.metaq.store;

import io.metaq.codec.store.IndexLayout;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * One file of the key index, mapped. The dispatcher adds entries; readers of any thread walk the chains of what was published. Slots are
 * really written when the file is made, entries in steps ahead, so that a full disk shows as an exception and not as a broken mapping.
 */
@OwnedBy("DispatchVerticle")
final class IndexFile {
  private static final int STEP = 256 * 1024;

  private final MappedFile file;
  private final int slots;
  private final int entries;

  // The dispatcher's.
  private int usedSlots;
  private int preparedEntries;

  // Published for readers.
  private volatile int nextEntry;

  private IndexFile(MappedFile file, int slots, int entries, int usedSlots, int nextEntry) {
    this.file = file;
    this.slots = slots;
    this.entries = entries;
    this.usedSlots = usedSlots;
    this.nextEntry = nextEntry;
    this.preparedEntries = nextEntry;
  }

  /** Makes an empty file; its header begins with the end of the file before. */
  static IndexFile create(
      Disk disk, Path path, int slots, int entries, long previousEndPhyOffset, long previousEndTimestamp) throws IOException {
    MappedFile file = MappedFile.open(disk, path, IndexLayout.fileSize(slots, entries));
    try {
      writeZeros(file, 0, IndexLayout.entry(slots, 1));
    } catch (IOException failure) {
      file.retire();
      throw failure;
    }
    file.bytes()
        .putLong(IndexLayout.BEGIN_TIMESTAMP, previousEndTimestamp)
        .putLong(IndexLayout.END_TIMESTAMP, previousEndTimestamp)
        .putLong(IndexLayout.BEGIN_PHY_OFFSET, previousEndPhyOffset)
        .putLong(IndexLayout.END_PHY_OFFSET, previousEndPhyOffset)
        .putInt(IndexLayout.NEXT_ENTRY, 1);
    return new IndexFile(file, slots, entries, 0, 1);
  }

  /** Opens a file as its header describes it. */
  static IndexFile open(Disk disk, Path path, int slots, int entries) throws IOException {
    MappedFile file = MappedFile.open(disk, path, IndexLayout.fileSize(slots, entries));
    int next = Math.max(1, file.bytes().getInt(IndexLayout.NEXT_ENTRY));
    return new IndexFile(file, slots, entries, file.bytes().getInt(IndexLayout.HASH_SLOT_COUNT), next);
  }

  MappedFile file() {
    return file;
  }

  boolean isEmpty() {
    return nextEntry <= 1;
  }

  boolean isFull() {
    return nextEntry >= entries;
  }

  int nextEntry() {
    return nextEntry;
  }

  long beginPhyOffset() {
    return file.bytes().getLong(IndexLayout.BEGIN_PHY_OFFSET);
  }

  long endPhyOffset() {
    return file.bytes().getLong(IndexLayout.END_PHY_OFFSET);
  }

  long endTimestamp() {
    return file.bytes().getLong(IndexLayout.END_TIMESTAMP);
  }

  /** Whether the header can be true. */
  boolean isPlausible() {
    ByteBuffer bytes = file.bytes();
    return nextEntry <= entries && usedSlots >= 0 && usedSlots < nextEntry
        && beginPhyOffset() <= endPhyOffset()
        && bytes.getLong(IndexLayout.BEGIN_TIMESTAMP) <= endTimestamp();
  }

  /** Adds an entry; the file must not be full. */
  void put(int keyHash, long phyOffset, long timestamp) throws IOException {
    int entry = nextEntry;
    prepare(entry);
    ByteBuffer bytes = file.bytes();
    if (entry == 1) {
      bytes.putLong(IndexLayout.BEGIN_TIMESTAMP, timestamp);
      bytes.putLong(IndexLayout.BEGIN_PHY_OFFSET, phyOffset);
    }
    int slotAt = IndexLayout.slot(keyHash % slots);
    int previous = bytes.getInt(slotAt);
    if (previous <= 0 || previous >= entry) {
      previous = 0;
      bytes.putInt(IndexLayout.HASH_SLOT_COUNT, ++usedSlots);
    }
    int at = IndexLayout.entry(slots, entry);
    bytes.putInt(at + IndexLayout.KEY_HASH, keyHash);
    bytes.putLong(at + IndexLayout.PHY_OFFSET, phyOffset);
    bytes.putInt(at + IndexLayout.TIME_DIFF, IndexLayout.timeDiff(bytes.getLong(IndexLayout.BEGIN_TIMESTAMP), timestamp));
    bytes.putInt(at + IndexLayout.PREVIOUS_ENTRY, previous);
    VarHandle.releaseFence();
    bytes.putInt(slotAt, entry);
    bytes.putLong(IndexLayout.END_TIMESTAMP, timestamp);
    bytes.putLong(IndexLayout.END_PHY_OFFSET, phyOffset);
    bytes.putInt(IndexLayout.NEXT_ENTRY, entry + 1);
    nextEntry = entry + 1;
  }

  /** Log positions of entries with a hash and a time, newest first, into {@code found}. Any thread that holds a reference. */
  void query(int keyHash, long beginMs, long endMs, PhyOffsets found) {
    ByteBuffer bytes = file.bytes();
    int limit = nextEntry;
    long begin = bytes.getLong(IndexLayout.BEGIN_TIMESTAMP);
    if (limit <= 1 || beginMs > endTimestamp() || endMs < begin) {
      return;
    }
    int entry = bytes.getInt(IndexLayout.slot(keyHash % slots));
    VarHandle.acquireFence();
    while (entry > 0 && entry < entries && !found.isFull()) {
      int at = IndexLayout.entry(slots, entry);
      // Times are stored in whole seconds from the first entry's, rounded down.
      long second = begin + 1000L * bytes.getInt(at + IndexLayout.TIME_DIFF);
      if (second + 999 < beginMs) {
        return;
      }
      if (bytes.getInt(at + IndexLayout.KEY_HASH) == keyHash && second <= endMs) {
        found.add(bytes.getLong(at + IndexLayout.PHY_OFFSET));
      }
      int previous = bytes.getInt(at + IndexLayout.PREVIOUS_ENTRY);
      entry = previous < entry ? previous : 0;
    }
  }

  /** Forces the header and the entries of {@code [from, to)}; the slots can be made from them. Any thread that holds a reference. */
  void forceEntries(int from, int to) throws IOException {
    if (from < to) {
      file.forceMapping(0, IndexLayout.HEADER_SIZE);
      file.forceMapping(IndexLayout.entry(slots, from), IndexLayout.entry(slots, to));
    }
  }

  void forceAll() throws IOException {
    file.forceMapping(0, IndexLayout.entry(slots, nextEntry));
  }

  /**
   * Keeps the leading entries of records below {@code phyOffset} and makes the slots again from them: what a crash cannot have torn.
   * For recovery.
   */
  void rebuild(long phyOffset) throws IOException {
    ByteBuffer bytes = file.bytes();
    long begin = bytes.getLong(IndexLayout.BEGIN_TIMESTAMP);
    writeZeros(file, IndexLayout.HEADER_SIZE, IndexLayout.slot(slots) - IndexLayout.HEADER_SIZE);
    usedSlots = 0;
    int entry = 1;
    long last = bytes.getLong(IndexLayout.BEGIN_PHY_OFFSET);
    int lastDiff = 0;
    while (entry < entries) {
      int at = IndexLayout.entry(slots, entry);
      int keyHash = bytes.getInt(at + IndexLayout.KEY_HASH);
      long place = bytes.getLong(at + IndexLayout.PHY_OFFSET);
      boolean unused = keyHash == 0 && place == 0 && bytes.getLong(at + IndexLayout.TIME_DIFF) == 0;
      if (unused || keyHash < 0 || place < last || place >= phyOffset) {
        break;
      }
      int slotAt = IndexLayout.slot(keyHash % slots);
      int previous = bytes.getInt(slotAt);
      if (bytes.getInt(at + IndexLayout.PREVIOUS_ENTRY) != previous) {
        // Only then: writing makes a page dirty, at ten times the price of reading it, and most are as they should be.
        bytes.putInt(at + IndexLayout.PREVIOUS_ENTRY, previous);
      }
      if (previous == 0) {
        usedSlots++;
      }
      bytes.putInt(slotAt, entry);
      last = place;
      lastDiff = bytes.getInt(at + IndexLayout.TIME_DIFF);
      entry++;
    }
    bytes.putInt(IndexLayout.HASH_SLOT_COUNT, usedSlots);
    bytes.putInt(IndexLayout.NEXT_ENTRY, entry);
    bytes.putLong(IndexLayout.END_PHY_OFFSET, last);
    bytes.putLong(IndexLayout.END_TIMESTAMP, begin + 1000L * lastDiff);
    nextEntry = entry;
    preparedEntries = entry;
  }

  private void prepare(int entry) throws IOException {
    if (entry < preparedEntries) {
      return;
    }
    int to = Math.min(entries, entry + STEP / IndexLayout.ENTRY_SIZE);
    int at = IndexLayout.entry(slots, entry);
    writeZeros(file, at, IndexLayout.entry(slots, to) - at);
    preparedEntries = to;
  }

  private static void writeZeros(MappedFile file, int at, int length) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(Math.min(STEP, length));
    for (int done = 0; done < length; done += STEP) {
      file.write(at + done, zeros, 0, Math.min(STEP, length - done));
    }
  }
}
