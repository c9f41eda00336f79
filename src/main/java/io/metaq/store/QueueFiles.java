package io.metaq.store;

import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueEndsText.Range;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The consume queues' files as recovery handles them. With a note of what the last checkpoint covered, each queue is taken exactly that
 * far after an unclean exit (the rest comes from the log again), and a queue that has less than was noted is put aside, to be made from
 * the log as a whole. Without a note (a store written by Apache RocketMQ) a queue ends at its first unused unit.
 */
@OwnedBy("whoever opens the store")
final class QueueFiles {
  /** Files at the end of a queue that are read when nothing tells where it ends. */
  private static final int SCANNED_FILES = 3;
  private static final int WINDOW = 512;
  private static final int CLEARED_BYTES = WINDOW * QueueUnit.SIZE;

  private final Disk disk;
  private final Path folder;
  private final int fileSize;
  private final boolean cleanExit;
  private final Optional<QueueEnds> noted;
  private final LogFiles logFiles;
  private final long mostPhyOffset;
  private final RecoveryLog log;
  private final ConsumeQueues queues;
  private final UnitWindow window = new UnitWindow(WINDOW);

  /** Folders of queues whose files were all deleted: names that came back would be taken for units. */
  private final List<Path> emptied = new ArrayList<>();

  private boolean rebuildWanted;
  private long maxPhyOffset = -1;
  private int lastSize;

  QueueFiles(StoreOptions options, Disk disk, boolean cleanExit, Optional<QueueEnds> noted, LogFiles logFiles, RecoveryLog log) {
    this.disk = disk;
    this.folder = options.consumeQueues();
    this.fileSize = options.queueFileSize();
    this.cleanExit = cleanExit;
    this.noted = noted;
    this.logFiles = logFiles;
    this.mostPhyOffset = Math.max(logFiles.capacityEnd(), noted.map(QueueEnds::phyOffset).orElse(0L));
    this.log = log;
    this.queues = new ConsumeQueues(folder, fileSize);
  }

  /** Opens every queue there is. */
  void load() throws IOException {
    disk.makeFolder(folder);
    for (Path topic : children(folder)) {
      if (!Files.isDirectory(topic)) {
        unknown(topic);
        continue;
      }
      for (Path queue : children(topic)) {
        OptionalLong queueId = queueId(queue);
        if (queueId.isEmpty()) {
          unknown(queue);
        } else {
          load(topic.getFileName().toString(), (int) queueId.getAsLong(), queue);
        }
      }
    }
    forceEmptied();
    findMissing();
  }

  /** Whether a queue must be made from the whole log. */
  boolean rebuildWanted() {
    return rebuildWanted;
  }

  /** Log position of the record that the newest of all units points to; -1 when there is none. */
  long maxPhyOffset() {
    return maxPhyOffset;
  }

  /** Size of that record. */
  int lastSize() {
    return lastSize;
  }

  ConsumeQueues queues() {
    return queues;
  }

  /** Drops the units of records at or behind {@code logEnd}. */
  void cutBehind(long logEnd) throws IOException {
    for (ConsumeQueue queue : List.copyOf(queues.all())) {
      queue.read(queue.end() - 1, 1, window);
      if (window.count() > 0 && window.isRecord(0) && window.phyOffset(0) + window.size(0) > logEnd) {
        long end = firstBehind(queue, logEnd);
        log.warn("consume queue " + queue.topic() + "/" + queue.queueId() + " knew messages behind the end of the commit log, it was cut"
            + " from " + queue.end() + " to " + end);
        replace(queue, cut(queue.folder(), startsOf(queue.folder()), end, false), end);
      }
    }
    forceEmptied();
  }

  private void forceEmptied() throws IOException {
    for (Path queue : emptied) {
      disk.forceNames(queue);
    }
    emptied.clear();
  }

  private void replace(ConsumeQueue queue, List<Long> starts, long end) {
    if (starts.isEmpty()) {
      queues.remove(queue);
      emptied.add(queue.folder());
    } else {
      ConsumeQueue shorter = opened(queue.topic(), queue.queueId(), starts, end);
      shorter.forceFrom(end - 1);
      queues.add(shorter);
    }
  }

  private void load(String topic, int queueId, Path path) throws IOException {
    Optional<Range> note = noted.map(ends -> ends.queues().getOrDefault(topic, Map.of()).get(queueId));
    List<Long> starts = startsOf(path);
    String fault = faultOf(path, starts, note);
    long end = note.map(Range::next).orElse(0L);
    if (fault == null && (cleanExit || noted.isEmpty())) {
      end = scanEnd(topic, queueId, starts, path, end);
    }
    if (fault == null) {
      fault = faultOfUnits(topic, queueId, starts, end);
    }
    if (fault != null) {
      queues.openFiles().closeAll();
      log.setAside(path, fault);
      rebuildWanted = true;
      return;
    }
    boolean deleted = !cleanExit && !starts.isEmpty();
    if (!cleanExit) {
      starts = cut(path, starts, end, true);
    }
    if (starts.isEmpty()) {
      if (deleted) {
        emptied.add(path);
      }
      return;
    }
    ConsumeQueue queue = opened(topic, queueId, starts, end);
    if (!cleanExit) {
      queue.forceFrom(note.isPresent() ? end - 1 : 0);
    }
    queue.read(end - 1, 1, window);
    if (note.isPresent() && note.get().next() > queue.firstUnit() && (window.count() == 0 || window.size(0) <= 0)) {
      queues.openFiles().closeAll();
      log.setAside(path, "has fewer units than were on the disk at the last checkpoint");
      rebuildWanted = true;
      return;
    }
    queues.add(queue);
    if (window.count() > 0 && window.isRecord(0) && window.phyOffset(0) > maxPhyOffset) {
      maxPhyOffset = window.phyOffset(0);
      lastSize = window.size(0);
    }
  }

  /**
   * What is wrong with the units that files begin with, as a clause; null when nothing is. A file of random bytes does not pass. Nothing
   * is changed yet, so that a file that cannot be right can be kept as it is.
   */
  private String faultOfUnits(String topic, int queueId, List<Long> starts, long end) throws IOException {
    long whole = starts.isEmpty() ? 0 : (starts.get(starts.size() - 1) + fileSize) / QueueUnit.SIZE;
    ConsumeQueue queue = opened(topic, queueId, starts, whole);
    long last = 0;
    for (long start : starts) {
      long unit = start / QueueUnit.SIZE;
      queue.read(unit, 1, window);
      boolean unused = window.phyOffset(0) == 0 && window.size(0) == 0;
      boolean possible = window.phyOffset(0) >= last && window.phyOffset(0) < mostPhyOffset && window.size(0) > 0;
      if (!possible && !(unused && unit >= end)) {
        return "has a file that does not begin with a unit of a queue";
      }
      last = window.phyOffset(0);
    }
    return null;
  }

  /** What is wrong with the files of a queue, as a clause; null when nothing is. */
  private String faultOf(Path path, List<Long> starts, Optional<Range> note) throws IOException {
    for (int i = 0; i < starts.size(); i++) {
      if (starts.get(i) % fileSize != 0 || starts.get(i) != starts.get(0) + (long) i * fileSize) {
        return "has a gap between its files";
      }
      Path file = path.resolve(FileNames.ofStart(starts.get(i)));
      if (!Files.isRegularFile(file)) {
        return "has a folder, or a link that leads nowhere, in the place of a file";
      }
      if (!Files.isWritable(file)) {
        throw new AccessDeniedException(file.toString());
      }
      if (Files.size(file) != fileSize) {
        return "has a file of another size than " + fileSize;
      }
    }
    if (note.isEmpty() || note.get().isEmpty()) {
      return null;
    }
    // When the log has lost files since, retention has taken files of the queue too.
    boolean sameLog = logFiles.first() == noted.get().logFirst();
    if (starts.isEmpty() || sameLog && starts.get(0) > note.get().first() * QueueUnit.SIZE) {
      return "has lost its first file";
    }
    if (starts.get(starts.size() - 1) + fileSize < note.get().next() * QueueUnit.SIZE) {
      return "has lost its last file";
    }
    return null;
  }

  private void findMissing() {
    if (noted.isEmpty()) {
      return;
    }
    noted.get().queues().forEach((topic, byId) -> byId.forEach((queueId, range) -> {
      if (!range.isEmpty() && queues.find(topic, queueId) == null && !rebuildWanted) {
        log.warn("consume queue " + topic + "/" + queueId + " is missing; it is made again from the commit log");
        rebuildWanted = true;
      }
    }));
  }

  private long scanStart(List<Long> starts) {
    return starts.isEmpty() ? 0 : starts.get(Math.max(0, starts.size() - SCANNED_FILES)) / QueueUnit.SIZE;
  }

  /** The first unit from {@code notedEnd} on, or in the last files, that is not used, goes back in the log, or is stale. */
  private long scanEnd(String topic, int queueId, List<Long> starts, Path path, long notedEnd) throws IOException {
    long from = Math.max(notedEnd, scanStart(starts));
    if (starts.isEmpty()) {
      return from;
    }
    ConsumeQueue whole = opened(topic, queueId, starts, (starts.get(starts.size() - 1) + fileSize) / QueueUnit.SIZE);
    long at = from;
    long last = -1;
    while (true) {
      whole.read(at, WINDOW, window);
      if (window.count() == 0) {
        return at;
      }
      for (int i = 0; i < window.count(); i++) {
        if (window.size(i) <= 0 || window.phyOffset(i) < last || at + i >= notedEnd && isStale(queueId, at + i, i)) {
          return at + i;
        }
        last = window.phyOffset(i);
      }
      at += window.count();
    }
  }

  /**
   * Whether a unit behind the noted end is left from before a crash, and not one of the messages that another broker has added to the store
   * since our note: then the log does not have that message there.
   */
  private boolean isStale(int queueId, long queueOffset, int at) {
    return noted.isPresent() && window.isRecord(at)
        && !logFiles.hasRecord(window.phyOffset(at), window.size(at), queueId, queueOffset);
  }

  private long firstBehind(ConsumeQueue queue, long logEnd) throws IOException {
    long from = queue.firstUnit();
    long to = queue.end();
    while (from < to) {
      long middle = (from + to) >>> 1;
      queue.read(middle, 1, window);
      if (window.isRecord(0) && window.phyOffset(0) + window.size(0) > logEnd) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }

  /**
   * Clears what stands from unit {@code end} on, and deletes files behind it; returns the starts that are left. Of a queue that
   * {@code goesOn} with messages from the log the first file is kept though nothing of it is: with tens of thousands of queues, making it
   * again would take most of a start.
   */
  private List<Long> cut(Path path, List<Long> starts, long end, boolean goesOn) throws IOException {
    List<Long> left = new ArrayList<>();
    long at = end * QueueUnit.SIZE;
    for (long start : starts) {
      Path file = path.resolve(FileNames.ofStart(start));
      if (start >= at && !(goesOn && start == 0)) {
        disk.delete(file);
        continue;
      }
      left.add(start);
      if (at < start + fileSize) {
        clear(file, (int) (at - start));
      }
    }
    return left;
  }

  /**
   * Zeroes the used part from {@code place} on. A short one is overwritten, a long one cut off, which costs the file system ten times as
   * much. A power cut may have left units behind a longer run of zeros; {@link #isStale} tells them from those of a message.
   */
  private void clear(Path file, int place) throws IOException {
    try (RandomAccessFile whole = new RandomAccessFile(file.toFile(), "rw")) {
      FileChannel units = whole.getChannel();
      ByteBuffer near = ByteBuffer.allocate(Math.min(CLEARED_BYTES, fileSize - place));
      while (near.hasRemaining() && units.read(near, place + near.position()) > 0) {
        // Until the window is full or the file ends.
      }
      int used = near.position();
      while (used > 0 && near.get(used - 1) == 0) {
        used--;
      }
      if (used > near.capacity() / 2) {
        whole.setLength(place);
        whole.setLength(fileSize);
      } else if (used > 0) {
        ByteBuffer zeros = ByteBuffer.allocate(used);
        while (zeros.hasRemaining()) {
          units.write(zeros, place + zeros.position());
        }
      }
    }
  }

  private ConsumeQueue opened(String topic, int queueId, List<Long> starts, long end) {
    Path path = folder.resolve(topic).resolve(Integer.toString(queueId));
    List<UnitFile> files = new ArrayList<>();
    for (long start : starts) {
      files.add(new UnitFile(path.resolve(FileNames.ofStart(start)), start, queues.openFiles()));
    }
    return new ConsumeQueue(topic, queueId, path, fileSize, queues.openFiles(), files, end);
  }

  private List<Long> startsOf(Path path) throws IOException {
    List<Long> starts = new ArrayList<>();
    List<Path> files = children(path);
    for (int i = 0; i < files.size(); i++) {
      Path file = files.get(i);
      OptionalLong start = FileNames.startOf(file.getFileName().toString());
      if (start.isEmpty()) {
        unknown(file);
      } else if (i == files.size() - 1 && Files.isRegularFile(file) && Files.size(file) == 0) {
        disk.delete(file);
      } else {
        starts.add(start.getAsLong());
      }
    }
    return starts;
  }

  private void unknown(Path path) {
    log.warn(path + " does not belong to the store and was left alone");
  }

  private static OptionalLong queueId(Path path) {
    String name = path.getFileName().toString();
    if (!Files.isDirectory(path) || name.isEmpty() || name.length() > 9 || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(name));
  }

  private static List<Path> children(Path path) throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.sorted().toList();
    }
  }
}
