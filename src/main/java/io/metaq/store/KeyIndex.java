package io.metaq.store;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/**
 * Finds messages by key: files of hashes, oldest first, of which the last one grows. The dispatcher adds, any thread queries. Only
 * hashes are kept, so whoever queries compares topic and key in the records.
 */
@OwnedBy("DispatchVerticle")
final class KeyIndex {
  /** Names of files: 17 digits, the local time they were made. */
  static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyyMMddHHmmssSSS");

  private final Disk disk;
  private final Path folder;
  private final int slots;
  private final int entries;
  private final Clock clock;
  private final AtomicReference<IndexFile[]> files;

  // The dispatcher's.
  private final long recoveredThrough;
  private IndexFile forcedFile;
  private int forcedEntries = 1;
  private volatile long wholeTimestamp;

  /**
   * An index with what recovery found.
   *
   * @param found its files in order
   * @param wholeTimestamp end time of the newest file that is on the disk as a whole, ms
   */
  KeyIndex(Disk disk, Path folder, int slots, int entries, Clock clock, List<IndexFile> found, long wholeTimestamp) {
    this.disk = disk;
    this.folder = folder;
    this.slots = slots;
    this.entries = entries;
    this.clock = clock;
    this.files = new AtomicReference<>(found.toArray(IndexFile[]::new));
    this.recoveredThrough = lastPhyOffset();
    this.wholeTimestamp = wholeTimestamp;
    if (!found.isEmpty()) {
      forcedFile = found.get(found.size() - 1);
      forcedEntries = forcedFile.nextEntry();
    }
  }

  /** Whether the record is not indexed yet, so far as recovery knows. */
  boolean wants(long phyOffset) {
    return phyOffset > recoveredThrough;
  }

  /** Adds a key by its stored hash. */
  void put(int keyHash, long phyOffset, long timestamp) throws IOException {
    IndexFile[] now = files.get();
    IndexFile last = now.length == 0 ? null : now[now.length - 1];
    if (last == null || last.isFull()) {
      last = begin(last);
    }
    last.put(keyHash, phyOffset, timestamp);
  }

  /** Log positions of records that may have a key, newest first. Any thread. */
  PhyOffsets query(int keyHash, long beginMs, long endMs, int max) {
    PhyOffsets found = new PhyOffsets(max);
    IndexFile[] now = files.get();
    for (int i = now.length - 1; i >= 0 && !found.isFull(); i--) {
      if (now[i].file().retain()) {
        try {
          now[i].query(keyHash, beginMs, endMs, found);
        } finally {
          now[i].file().release();
        }
      }
    }
    return found;
  }

  /** Store time of the last indexed record, ms; 0 when there is none. */
  long lastTimestamp() {
    return ofLastUsed(IndexFile::endTimestamp, 0);
  }

  /** Log position of the last indexed record; -1 when there is none. */
  long lastPhyOffset() {
    return ofLastUsed(IndexFile::endPhyOffset, -1);
  }

  /** End time of the newest file that is on the disk as a whole, ms. */
  long wholeTimestamp() {
    return wholeTimestamp;
  }

  /**
   * What must be forced so that the entries made so far survive. To be run, on any thread, until it succeeds, and before the next one is
   * asked for.
   */
  ForceTask unforced() {
    IndexFile[] now = files.get();
    if (now.length == 0) {
      return () -> { };
    }
    IndexFile last = now[now.length - 1];
    List<IndexFile> whole = last == forcedFile ? List.of() : endedSince(now);
    int from = last == forcedFile ? forcedEntries : 1;
    int to = last.nextEntry();
    forcedFile = last;
    forcedEntries = to;
    return () -> {
      for (IndexFile file : whole) {
        unlessGone(file, () -> {
          file.forceAll();
          wholeTimestamp = file.endTimestamp();
        });
      }
      unlessGone(last, () -> last.forceEntries(from, to));
    };
  }

  private static void unlessGone(IndexFile file, ForceTask task) throws IOException {
    if (file.file().retain()) {
      try {
        task.run();
      } finally {
        file.file().release();
      }
    }
  }

  /** Forces everything; for the end. */
  void forceAll() throws IOException {
    for (IndexFile file : files.get()) {
      file.forceAll();
      wholeTimestamp = file.endTimestamp();
    }
  }

  /** Deletes the files that know only records below {@code logFirst}, never the last one. Any thread. */
  void removeBelow(long logFirst) {
    while (true) {
      IndexFile[] now = files.get();
      int gone = 0;
      while (gone < now.length - 1 && now[gone].endPhyOffset() < logFirst) {
        gone++;
      }
      if (gone == 0) {
        return;
      }
      if (files.compareAndSet(now, Arrays.copyOfRange(now, gone, now.length))) {
        for (int i = 0; i < gone; i++) {
          now[i].file().retire();
        }
        return;
      }
    }
  }

  void close() {
    for (IndexFile file : files.getAndSet(new IndexFile[0])) {
      file.file().release();
    }
  }

  /** The files from the one that grew at the last checkpoint to the last but one. */
  private List<IndexFile> endedSince(IndexFile[] now) {
    int first = Math.max(0, Arrays.asList(now).indexOf(forcedFile));
    return List.of(Arrays.copyOfRange(now, first, now.length - 1));
  }

  private long ofLastUsed(ToLongFunction<IndexFile> value, long whenThereIsNone) {
    IndexFile[] now = files.get();
    for (int i = now.length - 1; i >= 0; i--) {
      if (!now[i].isEmpty() && now[i].file().retain()) {
        try {
          return value.applyAsLong(now[i]);
        } finally {
          now[i].file().release();
        }
      }
    }
    return whenThereIsNone;
  }

  private IndexFile begin(IndexFile before) throws IOException {
    disk.makeFolder(folder);
    Path path = freePath();
    IndexFile made = IndexFile.create(
        disk, path, slots, entries, before == null ? 0 : before.endPhyOffset(), before == null ? 0 : before.endTimestamp());
    while (true) {
      IndexFile[] now = files.get();
      IndexFile[] longer = Arrays.copyOf(now, now.length + 1);
      longer[now.length] = made;
      if (files.compareAndSet(now, longer)) {
        return made;
      }
    }
  }

  /** A name from the time, later than those of the files there are. */
  private Path freePath() {
    IndexFile[] now = files.get();
    LocalDateTime time = LocalDateTime.ofInstant(Instant.ofEpochMilli(clock.millis()), ZoneId.systemDefault());
    if (now.length > 0) {
      LocalDateTime last = LocalDateTime.parse(now[now.length - 1].file().path().getFileName().toString(), NAME);
      if (!time.isAfter(last)) {
        time = last.plus(1, ChronoUnit.MILLIS);
      }
    }
    return folder.resolve(NAME.format(time));
  }

  /** Forcing that is left to another thread. */
  @FunctionalInterface
  interface ForceTask {
    void run() throws IOException;
  }
}
