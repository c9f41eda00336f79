package io.metaq.store;

import io.metaq.codec.store.QueueUnit;
import java.nio.file.Path;
import java.util.function.IntToLongFunction;

/**
 * How a store is laid out and kept.
 *
 * @param root the folder of everything ({@code storePathRootDir})
 * @param logFileSize bytes of one commit log file; fixed for a store's life
 * @param queueFileSize bytes of one consume queue file; rounded up to a multiple of 20; fixed for a store's life
 * @param indexSlots hash slots of one index file; fixed for existing files
 * @param indexEntries entries of one index file; fixed for existing files
 * @param indexEnabled whether keys are indexed
 * @param flushMode when a message counts as stored
 * @param maxRecordSize longest record, in bytes, that is taken
 * @param checkCrcOnRecover whether recovery compares bodies with their checksums
 * @param delayMs how long a message of a delay level waits, in ms; gives its delivery time in the queue of the schedule topic
 * @param hotWindowBytes a record so near to the end of the log counts as being in the page cache
 * @param unitMemoryBytes what the newest units of many queues may grow to together before they have to be written
 * @param retention which old files are deleted, and when the disk counts as full
 */
public record StoreOptions(
    Path root,
    int logFileSize,
    int queueFileSize,
    int indexSlots,
    int indexEntries,
    boolean indexEnabled,
    FlushMode flushMode,
    int maxRecordSize,
    boolean checkCrcOnRecover,
    IntToLongFunction delayMs,
    long hotWindowBytes,
    long unitMemoryBytes,
    RetentionOptions retention) {
  public static final int DEFAULT_LOG_FILE_SIZE = 1 << 30;
  public static final int DEFAULT_QUEUE_FILE_SIZE = 6_000_000;
  public static final int DEFAULT_INDEX_SLOTS = 5_000_000;
  public static final int DEFAULT_INDEX_ENTRIES = 20_000_000;
  public static final int DEFAULT_MAX_RECORD_SIZE = 4 * 1024 * 1024 + 64 * 1024;
  public static final long DEFAULT_HOT_WINDOW_BYTES = 256L * 1024 * 1024;
  public static final long DEFAULT_UNIT_MEMORY_BYTES = Runtime.getRuntime().maxMemory() / 32;

  private static final int UNIT = QueueUnit.SIZE;

  public StoreOptions {
    queueFileSize = (queueFileSize + UNIT - 1) / UNIT * UNIT;
    if (logFileSize < 4096) {
      throw new IllegalArgumentException("a commit log file needs at least 4096 bytes: " + logFileSize);
    }
    if (queueFileSize < UNIT) {
      throw new IllegalArgumentException("a consume queue file needs at least " + UNIT + " bytes: " + queueFileSize);
    }
    if (indexSlots < 1 || indexEntries < 2) {
      throw new IllegalArgumentException("an index file needs a slot and two entries: " + indexSlots + ", " + indexEntries);
    }
  }

  /** Every default, in the folder {@code root}; delay levels wait a second each until {@link #withDelayMs} says better. */
  public static StoreOptions of(Path root) {
    return new StoreOptions(
        root,
        DEFAULT_LOG_FILE_SIZE,
        DEFAULT_QUEUE_FILE_SIZE,
        DEFAULT_INDEX_SLOTS,
        DEFAULT_INDEX_ENTRIES,
        true,
        FlushMode.ASYNC_FLUSH,
        DEFAULT_MAX_RECORD_SIZE,
        true,
        level -> 1000,
        DEFAULT_HOT_WINDOW_BYTES,
        DEFAULT_UNIT_MEMORY_BYTES,
        RetentionOptions.DEFAULT);
  }

  public StoreOptions withSizes(int logFileBytes, int queueFileBytes, int slots, int entries) {
    return new StoreOptions(root, logFileBytes, queueFileBytes, slots, entries, indexEnabled, flushMode, maxRecordSize,
        checkCrcOnRecover, delayMs, hotWindowBytes, unitMemoryBytes, retention);
  }

  public StoreOptions withFlushMode(FlushMode mode) {
    return new StoreOptions(root, logFileSize, queueFileSize, indexSlots, indexEntries, indexEnabled, mode, maxRecordSize,
        checkCrcOnRecover, delayMs, hotWindowBytes, unitMemoryBytes, retention);
  }

  public StoreOptions withDelayMs(IntToLongFunction levelToMs) {
    return new StoreOptions(root, logFileSize, queueFileSize, indexSlots, indexEntries, indexEnabled, flushMode, maxRecordSize,
        checkCrcOnRecover, levelToMs, hotWindowBytes, unitMemoryBytes, retention);
  }

  public StoreOptions withHotWindow(long windowBytes) {
    return new StoreOptions(root, logFileSize, queueFileSize, indexSlots, indexEntries, indexEnabled, flushMode, maxRecordSize,
        checkCrcOnRecover, delayMs, windowBytes, unitMemoryBytes, retention);
  }

  public StoreOptions withUnitMemory(long unitsBytes) {
    return new StoreOptions(root, logFileSize, queueFileSize, indexSlots, indexEntries, indexEnabled, flushMode, maxRecordSize,
        checkCrcOnRecover, delayMs, hotWindowBytes, unitsBytes, retention);
  }

  public StoreOptions withRetention(RetentionOptions kept) {
    return new StoreOptions(root, logFileSize, queueFileSize, indexSlots, indexEntries, indexEnabled, flushMode, maxRecordSize,
        checkCrcOnRecover, delayMs, hotWindowBytes, unitMemoryBytes, kept);
  }

  public Path commitLog() {
    return root.resolve("commitlog");
  }

  public Path consumeQueues() {
    return root.resolve("consumequeue");
  }

  public Path index() {
    return root.resolve("index");
  }

  /** Where recovery puts what it finds damaged; nothing there is read again. */
  Path damaged() {
    return root.resolve("damaged");
  }

  public Path queueEndsFile() {
    return root.resolve("config").resolve("queueEnds.json");
  }

  public Path checkpointFile() {
    return root.resolve("checkpoint");
  }

  /** There while a broker runs; found at start, it tells of an exit that was not clean. */
  public Path abortFile() {
    return root.resolve("abort");
  }
}
