package io.metaq.store;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The commit log's files as recovery handles them: load, find the end of what is sound, cut off the rest. */
@OwnedBy("whoever opens the store")
final class LogFiles implements AutoCloseable {
  private static final int BLOCK = 64 * 1024;
  /** Zeros behind the end of the log that make believe that nothing more comes. */
  private static final int PATIENCE = 1 << 20;

  private final Disk disk;
  private final Path folder;
  private final int size;
  private final RecoveryLog log;
  private final RecordCheck check;
  private final RecordReader reader = new RecordReader();
  private final List<Segment> segments = new ArrayList<>();

  private long end;
  private long lastStoreTimestamp;
  private String fault = "";

  private LogFiles(StoreOptions options, Disk disk, RecoveryLog log) {
    this.disk = disk;
    this.folder = options.commitLog();
    this.size = options.logFileSize();
    this.log = log;
    this.check = new RecordCheck(options.checkCrcOnRecover());
  }

  /**
   * Opens all files.
   *
   * @throws StoreException when a file is missing or has another size than configured: opening it could only do harm; a last file that
   *     was cut short is set back to its length instead
   */
  static LogFiles load(StoreOptions options, Disk disk, boolean cleanExit, RecoveryLog log) throws IOException {
    LogFiles files = new LogFiles(options, disk, log);
    try {
      files.open(cleanExit);
      return files;
    } catch (IOException | RuntimeException failure) {
      files.close();
      throw failure;
    }
  }

  boolean isEmpty() {
    return segments.isEmpty();
  }

  long first() {
    return segments.isEmpty() ? 0 : segments.get(0).start();
  }

  /** Where the files end, used or not. */
  long capacityEnd() {
    return segments.isEmpty() ? 0 : segments.get(segments.size() - 1).end();
  }

  /** Log position behind the last sound record that {@link #scan} found. */
  long end() {
    return end;
  }

  /** Store time of the last record that was looked at; 0 when there was none. */
  long lastStoreTimestamp() {
    return lastStoreTimestamp;
  }

  /** Whether a sound record of this size lies at {@code phyOffset}. */
  boolean hasRecord(long phyOffset, int recordSize) {
    Segment segment = segmentOf(phyOffset);
    return segment != null
        && check.check(segment.bytes(), segment.place(phyOffset), size, phyOffset) == RecordCheck.Verdict.RECORD
        && check.size() == recordSize;
  }

  /** Whether a sound record of this size lies at {@code phyOffset} and is message {@code queueOffset} of a queue with this id. */
  boolean hasRecord(long phyOffset, int recordSize, int queueId, long queueOffset) {
    if (!hasRecord(phyOffset, recordSize)) {
      return false;
    }
    Segment segment = segmentOf(phyOffset);
    reader.wrap(segment.bytes(), segment.place(phyOffset));
    return reader.queueId() == queueId && reader.queueOffset() == queueOffset;
  }

  /** Store time of the first record of the file that begins at {@code start}; empty when none stands there. */
  OptionalLong firstStoreTime(Segment segment) {
    if (check.check(segment.bytes(), 0, size, segment.start()) != RecordCheck.Verdict.RECORD) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(reader.wrap(segment.bytes(), 0).storeTimestamp());
  }

  List<Segment> segments() {
    return segments;
  }

  /** Notes the store time of the record at {@code phyOffset}, which is sound, as the last one so far. */
  void noteRecord(long phyOffset) {
    Segment segment = segmentOf(phyOffset);
    lastStoreTimestamp = reader.wrap(segment.bytes(), segment.place(phyOffset)).storeTimestamp();
  }

  /** Checks record after record from {@code from} on, until something is no record. */
  void scan(long from) throws IOException {
    try {
      scanMapped(from);
    } catch (InternalError noPage) {
      // A file system that keeps pages for what was never written (tmpfs) has none to show when it is full.
      if (!isUnwritten(end)) {
        throw new StoreException("the commit log cannot be read behind " + end + ": " + noPage.getMessage());
      }
    }
  }

  private boolean isUnwritten(long phyOffset) throws IOException {
    Segment segment = segmentOf(phyOffset);
    if (segment == null) {
      return true;
    }
    ByteBuffer head = ByteBuffer.allocate(RecordLayout.BLANK_SIZE);
    segment.file().read(segment.place(phyOffset), head);
    return ZeroBytes.all(head, 0, head.position());
  }

  private void scanMapped(long from) {
    end = from;
    fault = "";
    Segment segment = segmentOf(from);
    long at = from;
    while (segment != null) {
      if (at == segment.start() && segment.start() > from) {
        log.progress("checking the commit log: " + (at - from >> 20) + " MB done, now " + segment.file().path().getFileName());
      }
      RecordCheck.Verdict verdict = check.check(segment.bytes(), segment.place(at), size, at);
      if (verdict == RecordCheck.Verdict.RECORD) {
        lastStoreTimestamp = reader.wrap(segment.bytes(), segment.place(at)).storeTimestamp();
        at += check.size();
        end = at;
      } else if (verdict == RecordCheck.Verdict.BLANK || segment.end() - at < RecordLayout.BLANK_SIZE) {
        at = segment.end();
        end = verdict == RecordCheck.Verdict.BLANK ? at : end;
      } else {
        fault = check.fault();
        return;
      }
      segment = at < segment.end() ? segment : segmentOf(at);
    }
  }

  /**
   * Makes everything behind the end zero again: later files go, the file that holds the end is cut there and set back to full length. No
   * byte of an older write can pass for a record later. What is cut off and holds anything is kept in the folder {@code damaged}.
   *
   * @param cleanExit bytes behind the end need no cut when none is in use near by
   */
  void cut(boolean cleanExit) throws IOException {
    if (!fault.isEmpty()) {
      log.warn("the commit log ends at " + end + ": " + fault);
    }
    while (segments.size() > 1 && segments.get(segments.size() - 1).start() >= end) {
      dropLast();
    }
    Segment segment = segmentOf(end);
    if (segment != null && (!cleanExit || usedFrom(segment, segment.place(end)) > segment.place(end))) {
      cutLast();
    }
  }

  /**
   * Tells of every file before {@code phyOffset}, where nothing is scanned, that does not begin with a record: it was damaged while it
   * lay there. It stays where it is, and whoever asks for a message in it is told.
   */
  void tellDamagedBefore(long phyOffset) {
    for (Segment segment : segments) {
      if (segment.end() <= phyOffset
          && check.check(segment.bytes(), 0, size, segment.start()) != RecordCheck.Verdict.RECORD) {
        log.warn("the commit log file " + segment.file().path() + " is damaged, no record stands at its beginning; what it holds cannot be"
            + " read, so put the file back if there is a copy");
      }
    }
  }

  /** Forces the records of {@code [from, end)}, which an unclean exit may have left in memory only. */
  void force(long from) throws IOException {
    for (Segment segment : segments) {
      if (segment.end() > from && segment.start() < end) {
        segment.file().forceMapping(
            segment.place(Math.max(from, segment.start())), segment.place(Math.min(end, segment.end())));
      }
    }
  }

  @Override
  public void close() {
    segments.forEach(Segment::release);
    segments.clear();
  }

  private void open(boolean cleanExit) throws IOException {
    disk.makeFolder(folder);
    List<Long> starts = starts();
    for (int i = 0; i < starts.size(); i++) {
      long start = starts.get(i);
      Path path = folder.resolve(FileNames.ofStart(start));
      boolean last = i == starts.size() - 1;
      long length = Files.size(path);
      if (last && length == 0) {
        disk.delete(path);
        return;
      }
      if (last && length < size && isCutShort(path, start, (int) length, i > 0 || !cleanExit)) {
        log.warn("the last commit log file " + path + " had only " + length + " of " + size + " bytes; it was set back to full length");
      } else if (length != size) {
        throw new StoreException("the commit log file " + path + " has " + length + " bytes, but mappedFileSizeCommitLog is "
            + size + "; set it to the size the store was written with, or put the whole file back");
      }
      if (start != starts.get(0) + (long) i * size) {
        Path missing = folder.resolve(FileNames.ofStart(starts.get(0) + (long) i * size));
        throw new StoreException("the commit log has a gap: " + missing + " is missing in front of " + path.getFileName() + "; put it back");
      }
      segments.add(Segment.open(disk, folder, start, size));
    }
  }

  private static boolean isCutShort(Path path, long start, int length, boolean sure) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      Mapping mapping = Mapping.of(file.getChannel(), length);
      try {
        return CutShort.test(mapping.bytes(), start, sure);
      } finally {
        mapping.unmap();
      }
    }
  }

  private List<Long> starts() throws IOException {
    List<Long> starts = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path path : files.sorted().toList()) {
        OptionalLong start = FileNames.startOf(path.getFileName().toString());
        boolean file = Files.isRegularFile(path);
        if (start.isEmpty() || !file && start.getAsLong() % size != 0) {
          log.warn(path + " does not belong to the store and was left alone");
        } else if (file) {
          starts.add(start.getAsLong());
        } else {
          throw new StoreException("the commit log file " + path + " is no file but a folder, or a link that leads nowhere; put the file back");
        }
      }
    }
    return starts;
  }

  private Segment segmentOf(long phyOffset) {
    if (phyOffset < first() || phyOffset >= capacityEnd()) {
      return null;
    }
    return segments.get((int) ((phyOffset - first()) / size));
  }

  private void dropLast() throws IOException {
    Segment segment = segments.remove(segments.size() - 1);
    Path path = segment.file().path();
    segment.release();
    if (ZeroBytes.only(path)) {
      disk.delete(path);
    } else {
      log.setAside(path, "lies behind the end of the commit log at " + end);
    }
  }

  private void cutLast() throws IOException {
    Segment segment = segments.remove(segments.size() - 1);
    int place = segment.place(end);
    Path path = segment.file().path();
    int used = usedFrom(segment, place);
    if (used > place) {
      keepTail(segment, place, used);
    }
    segment.release();
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(place);
      file.setLength(size);
      disk.force(path, file.getChannel(), true);
    }
    segments.add(Segment.open(disk, folder, segment.start(), size));
  }

  private void keepTail(Segment segment, int from, int to) throws IOException {
    Path target = log.freeTarget("commitlog/" + segment.file().path().getFileName() + "-from-" + from);
    disk.makeFolder(target.getParent());
    try (FileChannel channel = FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer tail = segment.bytes().slice(from, to - from);
      while (tail.hasRemaining()) {
        channel.write(tail);
      }
      disk.force(target, channel, true);
    }
    // Before the tail is cut off the log, or a power cut could take both.
    disk.forceNames(target.getParent());
    log.warn(to - from + " bytes behind the end of the commit log at " + end + " were cut off and kept in " + target);
  }

  /** Place behind the last byte from {@code from} on that is not zero, before a run of {@value #PATIENCE} zeros. */
  private int usedFrom(Segment segment, int from) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    int used = from;
    for (int at = from; at < size && at - used < PATIENCE; at += BLOCK) {
      block.clear();
      segment.file().read(at, block);
      int last = block.position() - 1;
      while (last >= 0 && block.get(last) == 0) {
        last--;
      }
      used = last >= 0 ? at + last + 1 : used;
    }
    return used;
  }
}
