package io.metaq.store;

import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.codec.store.QueueEndsText.Range;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The consume queues' files as recovery handles them. With a note of what the last checkpoint covered, each queue is taken exactly
 * that far after an unclean exit (the rest comes from the log again), and a queue that has less than was noted is put aside, to be
 * made from the log as a whole. Without a note (a store written by Apache RocketMQ) a queue ends at its first unused unit.
 */
@OwnedBy("whoever opens the store")
final class QueueFiles {
  /** Files at the end of a queue that are read when nothing tells where it ends. */
  private static final int SCANNED_FILES = 3;
  private static final int WINDOW = 512;

  private final Disk disk;
  private final Path folder;
  private final int fileSize;
  private final boolean cleanExit;
  private final Optional<QueueEnds> noted;
  private final boolean noteLost;
  private final LogFiles logFiles;
  private final long mostPhyOffset;
  private final RecoveryLog log;
  private final ConsumeQueues queues;
  private final UnitWindow window = new UnitWindow(WINDOW);
  private final UnitWindow lastUnit = new UnitWindow(1);
  private final StaleUnits stale;

  /** Folders of queues whose files were all deleted: names that came back would be taken for units. */
  private final List<Path> emptied = new ArrayList<>();

  /** Queues that went on behind their noted end before the crash. */
  private final List<ConsumeQueue> uncleared = new ArrayList<>();

  private boolean rebuildWanted;
  private long maxPhyOffset = -1;
  private int lastSize;
  /** Where the records end that the last units of all queues point to. */
  private long lastEnd;

  /** @param noteLost there was a note, but it could not be read */
  QueueFiles(StoreOptions options, Disk disk, boolean cleanExit, Optional<QueueEnds> noted, boolean noteLost, LogFiles logFiles,
      RecoveryLog log) {
    this.disk = disk;
    this.folder = options.consumeQueues();
    this.fileSize = options.queueFileSize();
    this.cleanExit = cleanExit;
    this.noted = noted;
    this.noteLost = noteLost;
    this.logFiles = logFiles;
    this.mostPhyOffset = Math.max(logFiles.capacityEnd(), noted.map(QueueEnds::phyOffset).orElse(0L));
    this.log = log;
    this.queues = new ConsumeQueues(folder, fileSize);
    this.stale = new StaleUnits(fileSize);
  }

  /** Opens every queue there is. */
  void load() throws IOException {
    disk.makeFolder(folder);
    for (String topic : namesIn(folder)) {
      Path path = folder.resolve(topic);
      if (Files.isDirectory(path)) {
        loadQueues(topic, path);
      } else {
        unknown(path);
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
    if (lastEnd <= logEnd) {
      return;
    }
    for (ConsumeQueue queue : List.copyOf(queues.all())) {
      queue.read(queue.end() - 1, 1, window);
      if (window.count() > 0 && window.isRecord(0) && window.phyOffset(0) + window.size(0) > logEnd) {
        long end = firstBehind(queue, logEnd);
        log.warn("consume queue " + queue.topic() + "/" + queue.queueId() + " knew messages behind the end of the commit log, it was cut"
            + " from " + queue.end() + " to " + end);
        List<UnitFile> files = filesIn(queue.folder());
        uncleared.remove(queue);
        replace(queue, cut(files, end, false).left(), end);
        close(files);
      }
    }
    forceEmptied();
  }

  /**
   * Ends what loading began after an unclean exit: all is derived and written, what is still behind a queue's end is no message's.
   */
  void clearUnderived() throws IOException {
    for (ConsumeQueue queue : uncleared) {
      queue.clearBehindEnd(stale);
      queue.rederived(false);
    }
    uncleared.clear();
  }

  private void forceEmptied() throws IOException {
    for (Path queue : emptied) {
      disk.forceNames(queue);
    }
    emptied.clear();
  }

  private void replace(ConsumeQueue queue, List<UnitFile> left, long end) {
    if (left.isEmpty()) {
      queues.remove(queue);
      emptied.add(queue.folder());
    } else {
      ConsumeQueue shorter = queueOf(queue.topic(), queue.queueId(), queue.folder(), left, end);
      shorter.forceFrom(end - 1);
      queues.add(shorter);
    }
  }

  private void loadQueues(String topic, Path path) throws IOException {
    for (String name : namesIn(path)) {
      Path queue = path.resolve(name);
      OptionalLong queueId = queueId(name);
      if (queueId.isEmpty() || !Files.isDirectory(queue)) {
        unknown(queue);
        continue;
      }
      // Each file is opened once, for all that is looked at, and closed: there may be tens of thousands.
      List<UnitFile> files = filesIn(queue);
      try {
        load(topic, (int) queueId.getAsLong(), queue, files);
      } finally {
        close(files);
      }
    }
  }

  private void load(String topic, int queueId, Path path, List<UnitFile> files) throws IOException {
    Optional<Range> note = noted.map(ends -> ends.queues().getOrDefault(topic, Map.of()).get(queueId));
    String fault = faultOf(files, note);
    long end = note.map(Range::next).orElse(0L);
    ConsumeQueue whole = queueOf(topic, queueId, path, files, capacityOf(files));
    if (fault == null && (cleanExit || noted.isEmpty())) {
      end = scanEnd(whole, files, end);
    }
    if (fault == null) {
      fault = faultOfUnits(whole, files, end);
    }
    if (fault == null && lacksBeginning(whole, files)) {
      fault = "has lost its first file";
    }
    if (fault == null) {
      whole.read(end - 1, 1, lastUnit);
      if (lacksUnits(whole, note)) {
        fault = "has fewer units than were on the disk at the last checkpoint";
      }
    }
    if (fault != null) {
      close(files);
      log.setAside(path, fault);
      rebuildWanted = true;
      return;
    }
    Cut cut = cleanExit ? new Cut(files, false) : cut(files, end, true);
    if (cut.left().isEmpty()) {
      if (cut.changed()) {
        emptied.add(path);
      }
      return;
    }
    ConsumeQueue queue = queueOf(topic, queueId, path, cut.left(), end);
    if (!cleanExit) {
      markUnforced(queue, note, cut.changed());
      if (cut.changed()) {
        queue.rederived(true);
        uncleared.add(queue);
      }
    }
    queues.add(queue);
    if (lastUnit.count() > 0 && lastUnit.isRecord(0)) {
      lastEnd = Math.max(lastEnd, lastUnit.phyOffset(0) + lastUnit.size(0));
      if (lastUnit.phyOffset(0) > maxPhyOffset) {
        maxPhyOffset = lastUnit.phyOffset(0);
        lastSize = lastUnit.size(0);
      }
    }
  }

  /**
   * Whether files are missing in front of the first one although no note tells of them: it begins with a message behind the log's
   * first, where retention would have taken no file. A log that has lost files itself tells this only of a store whose note is
   * damaged, for what RocketMQ leaves of a queue may begin there.
   */
  private boolean lacksBeginning(ConsumeQueue whole, List<UnitFile> files) throws IOException {
    long first = logFiles.first();
    if (noted.isPresent() || files.isEmpty() || files.get(0).start() == 0 || first > 0 && !noteLost) {
      return false;
    }
    whole.read(whole.firstUnit(), 1, window);
    return window.count() > 0 && window.isRecord(0) && window.phyOffset(0) > first;
  }

  /** Whether nothing stands where the note tells of a last unit. */
  private boolean lacksUnits(ConsumeQueue whole, Optional<Range> note) {
    boolean expected = note.isPresent() && note.get().next() > whole.firstUnit() && whole.end() > 0;
    return expected && (lastUnit.count() == 0 || lastUnit.size(0) <= 0);
  }

  /** What the note tells of was forced before it was written; names and units of which it tells nothing may be in memory only. */
  private static void markUnforced(ConsumeQueue queue, Optional<Range> note, boolean changed) {
    if (note.isEmpty() || note.get().isEmpty()) {
      queue.forceFrom(0);
    } else if (changed) {
      queue.forceFrom(queue.end() - 1);
    }
  }

  /**
   * What is wrong with the units that files begin with, as a clause; null when nothing is. A file of random bytes does not pass.
   * Nothing is changed yet, so that a file that cannot be right can be kept as it is.
   */
  private String faultOfUnits(ConsumeQueue whole, List<UnitFile> files, long end) throws IOException {
    long last = 0;
    for (UnitFile file : files) {
      long unit = file.start() / QueueUnit.SIZE;
      whole.read(unit, 1, window);
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
  private String faultOf(List<UnitFile> files, Optional<Range> note) throws IOException {
    for (int i = 0; i < files.size(); i++) {
      UnitFile file = files.get(i);
      if (file.start() % fileSize != 0 || file.start() != files.get(0).start() + (long) i * fileSize) {
        return "has a gap between its files";
      }
      Optional<BasicFileAttributes> attributes = attributesOf(file.path());
      if (!attributes.map(BasicFileAttributes::isRegularFile).orElse(false)) {
        return "has a folder, or a link that leads nowhere, in the place of a file";
      }
      if (!Files.isWritable(file.path())) {
        throw new AccessDeniedException(file.path().toString());
      }
      if (attributes.get().size() != fileSize) {
        return "has a file of another size than " + fileSize;
      }
    }
    if (note.isEmpty() || note.get().isEmpty()) {
      return null;
    }
    // When the log has lost files since, retention has taken files of the queue too.
    boolean sameLog = logFiles.first() == noted.get().logFirst();
    if (files.isEmpty() || sameLog && files.get(0).start() > note.get().first() * QueueUnit.SIZE) {
      return "has lost its first file";
    }
    if (capacityOf(files) < note.get().next()) {
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

  private static long scanStart(List<UnitFile> files) {
    return files.isEmpty() ? 0 : files.get(Math.max(0, files.size() - SCANNED_FILES)).start() / QueueUnit.SIZE;
  }

  /** The first unit from {@code notedEnd} on, or in the last files, that is not used, goes back in the log, or is stale. */
  private long scanEnd(ConsumeQueue whole, List<UnitFile> files, long notedEnd) throws IOException {
    long from = Math.max(notedEnd, scanStart(files));
    if (files.isEmpty()) {
      return from;
    }
    long at = from;
    long last = -1;
    while (true) {
      // After a clean exit the first one is unused, as a rule.
      whole.read(at, at == from ? 1 : WINDOW, window);
      if (window.count() == 0) {
        return at;
      }
      for (int i = 0; i < window.count(); i++) {
        if (window.size(i) <= 0 || window.phyOffset(i) < last || at + i >= notedEnd && isStale(whole.queueId(), at + i, i)) {
          return at + i;
        }
        last = window.phyOffset(i);
      }
      at += window.count();
    }
  }

  /**
   * Whether a unit behind the noted end is left from before a crash, and not one of the messages that another broker has added to
   * the store since our note: then the log does not have that message there.
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

  /** What is left of a queue's files, and whether anything was, or still is to be, taken from them. */
  private record Cut(List<UnitFile> left, boolean changed) {}

  /**
   * Clears what stands from unit {@code end} on, and deletes files behind it. Of a queue that {@code goesOn} with messages from the
   * log the first file is kept though nothing of it is, and units stay until {@link #clearUnderived}: with tens of thousands of
   * queues, writing again what is there would take most of a start.
   */
  private Cut cut(List<UnitFile> files, long end, boolean goesOn) throws IOException {
    List<UnitFile> left = new ArrayList<>();
    boolean changed = false;
    long at = end * QueueUnit.SIZE;
    for (UnitFile file : files) {
      if (file.start() >= at && !(goesOn && file.start() == 0)) {
        file.delete(disk);
        changed = true;
        continue;
      }
      left.add(file);
      if (at < file.start() + fileSize) {
        int place = (int) (at - file.start());
        changed |= goesOn ? stale.in(file, place) : stale.clear(file, place);
      }
    }
    return new Cut(left, changed);
  }

  private ConsumeQueue queueOf(String topic, int queueId, Path path, List<UnitFile> files, long end) {
    return new ConsumeQueue(topic, queueId, path, fileSize, queues.openFiles(), files, end);
  }

  /** How far the files reach, in units. */
  private long capacityOf(List<UnitFile> files) {
    return files.isEmpty() ? 0 : (files.get(files.size() - 1).start() + fileSize) / QueueUnit.SIZE;
  }

  private List<UnitFile> filesIn(Path path) throws IOException {
    List<UnitFile> files = new ArrayList<>();
    List<String> names = namesIn(path);
    for (int i = 0; i < names.size(); i++) {
      Path file = path.resolve(names.get(i));
      OptionalLong start = FileNames.startOf(names.get(i));
      if (start.isEmpty()) {
        unknown(file);
      } else if (i == names.size() - 1 && isEmptyFile(file)) {
        disk.delete(file);
      } else {
        files.add(new UnitFile(file, start.getAsLong(), queues.openFiles()));
      }
    }
    return files;
  }

  private static boolean isEmptyFile(Path path) {
    return attributesOf(path).filter(found -> found.isRegularFile() && found.size() == 0).isPresent();
  }

  private static void close(List<UnitFile> files) {
    files.forEach(UnitFile::close);
  }

  private void unknown(Path path) {
    log.warn(path + " does not belong to the store and was left alone");
  }

  private static OptionalLong queueId(String name) {
    if (name.isEmpty() || name.length() > 9 || !name.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(name));
  }

  /** Empty when nothing has the name, or a link that leads nowhere or to itself. */
  private static Optional<BasicFileAttributes> attributesOf(Path path) {
    try {
      return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
    } catch (IOException missing) {
      return Optional.empty();
    }
  }

  /** Sorted. The old way to list takes half the system calls, the new one tells why it fails. */
  private static List<String> namesIn(Path path) throws IOException {
    String[] names = path.toFile().list();
    if (names != null) {
      Arrays.sort(names);
      return List.of(names);
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
