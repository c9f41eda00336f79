package io.metaq.store;

import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The index of one queue: where its n-th message lies in the log. The newest units stand in a ring in memory, readable at once and from
 * any thread; they are written to the queue's files in batches. A ring slot is used again only after its unit is in a file, and a reader
 * that was overtaken while it copied sees that ({@link #ringFrom}) and reads the file.
 *
 * <p>Derived from the log only. Files are made at full length, sparse; a queue whose first message has another number than 0 begins with
 * filler units up to it.
 */
@OwnedBy("DispatchVerticle")
final class ConsumeQueue {
  /** Units collected before they are written. */
  static final int BATCH = 512;

  static final int MAX_RING = 2 * BATCH;

  private static final int FIRST_RING = 32;

  private final String topic;
  private final int queueId;
  private final Path folder;
  private final int fileSize;
  private final OpenFiles openFiles;

  // Copied on write: the dispatcher adds at the end, housekeeping takes away at the front.
  private final AtomicReference<UnitFile[]> files;

  // Published for readers.
  private volatile UnitRing ring;
  private volatile long ringFrom;
  private volatile long written;
  private volatile long end;
  private volatile MinOffset min = new MinOffset(-1, 0);
  private volatile long farBefore;

  // The dispatcher's, read by everyone behind the end they read before.
  private long countedFrom;
  private long appendedBytes;

  // The dispatcher's alone.
  private int touchedInRound;
  private long markUnit;
  private long markPhyOffset = -1;
  private long forcedUnits;
  private boolean rederived;

  /** The first readable offset, as long as the log begins at {@code logFirst}. */
  private record MinOffset(long logFirst, long queueOffset) {}

  /**
   * A queue with what recovery found.
   *
   * @param found its files in order, without a gap
   * @param end number of units, those of deleted files counted
   */
  ConsumeQueue(String topic, int queueId, Path folder, int fileSize, OpenFiles openFiles, List<UnitFile> found, long end) {
    this.topic = topic;
    this.queueId = queueId;
    this.folder = folder;
    this.fileSize = fileSize;
    this.openFiles = openFiles;
    this.files = new AtomicReference<>(found.toArray(UnitFile[]::new));
    this.written = end;
    this.forcedUnits = end;
    this.ringFrom = end;
    this.end = end;
  }

  String topic() {
    return topic;
  }

  int queueId() {
    return queueId;
  }

  Path folder() {
    return folder;
  }

  /** The next queue offset: units below it can be read. */
  long end() {
    return end;
  }

  /** From here on {@link #count} counts. */
  void beginCounting() {
    countedFrom = end;
    appendedBytes = 0;
  }

  /** Tells how many messages came, and their bytes in the log, since the store was opened. Any thread; nothing when none came. */
  void count(QueueVisitor visitor) {
    long messages = end - countedFrom;
    if (messages > 0) {
      visitor.queue(topic, queueId, messages, appendedBytes);
    }
  }

  /** Units that are not yet in a file. */
  int pending() {
    return (int) (end - written);
  }

  /** Whether so many units are not yet in a file that they fill half of a ring of {@code room} units, or of the one there is if that is larger. */
  boolean presses(int room) {
    return pending() * 2 >= Math.max(room, ring.capacity());
  }

  /** Marks the queue as touched in a round; true the first time. */
  boolean touch(int round) {
    if (touchedInRound == round) {
      return false;
    }
    touchedInRound = round;
    return true;
  }

  /** Appends the unit of message {@link #end()}. */
  void append(long phyOffset, int size, long tagsCode, ByteBuffer scratch) throws IOException {
    long at = end;
    makeRoom(at, scratch);
    ring.set(at, phyOffset, size, tagsCode);
    appendedBytes += size;
    mark(at, phyOffset);
    end = at + 1;
  }

  private void mark(long at, long phyOffset) {
    if (markPhyOffset < 0) {
      markUnit = at;
      markPhyOffset = phyOffset;
    } else if (phyOffset - markPhyOffset >= StoreView.FAR_BYTES) {
      farBefore = markUnit;
      markUnit = at;
      markPhyOffset = phyOffset;
    }
  }

  /**
   * Lets the queue go on at {@code next}, which is beyond its end: fillers take the places in between, in the file that holds
   * {@code next} for an empty queue, and from the queue's end on otherwise.
   */
  void skipTo(long next, long phyOffset, ByteBuffer scratch) throws IOException {
    writePending(scratch);
    long from = end == 0 ? firstFor(next) : end;
    long fillerPhyOffset = from == end && end > 0 ? phyOffset : 0;
    long at = from;
    while (at < next) {
      int units = (int) Math.min(scratch.capacity() / QueueUnit.SIZE, next - at);
      scratch.clear();
      for (int i = 0; i < units; i++) {
        scratch.putLong(fillerPhyOffset).putInt(QueueUnit.FILLER_SIZE).putLong(0);
      }
      scratch.flip();
      writeUnits(at, scratch);
      at += units;
    }
    written = next;
    ringFrom = next;
    countedFrom += next - end;
    end = next;
  }

  /** Where the files of an empty queue begin that goes on at {@code next}; there may be one already, from a try that failed. */
  private long firstFor(long next) {
    UnitFile[] now = files.get();
    long unitsPerFile = fileSize / QueueUnit.SIZE;
    return now.length > 0 ? now[0].start() / QueueUnit.SIZE : next / unitsPerFile * unitsPerFile;
  }

  /** Writes what stands only in memory so far. */
  void writePending(ByteBuffer scratch) throws IOException {
    UnitRing units = ring;
    while (written < end) {
      long to = Math.min(end, written + scratch.capacity() / QueueUnit.SIZE);
      scratch.clear();
      units.encode(written, to, scratch);
      scratch.flip();
      writeUnits(written, scratch);
      written = to;
    }
  }

  /** For recovery: units from {@code unit} on, and their files' names, may not be on the disk; the next checkpoint is to force them. */
  void forceFrom(long unit) {
    forcedUnits = unit;
    filesFrom(unit).forEach(file -> file.named(false));
  }

  /** For recovery: whether the units to come were written by the last process already, most likely. */
  void rederived(boolean likely) {
    rederived = likely;
  }

  /** Whether a file was written to since the last call of {@link #filesToForce}, or {@link #forceFrom} named one. */
  boolean isUnforced() {
    return forcedUnits != written;
  }

  /** The files that were written to since the last call and must be forced for a checkpoint. */
  List<UnitFile> filesToForce() {
    if (!isUnforced()) {
      return List.of();
    }
    List<UnitFile> dirty = filesFrom(forcedUnits);
    forcedUnits = written;
    return dirty;
  }

  /**
   * Copies up to {@code max} units from {@code queueOffset} on into {@code window}; fewer at the end of the queue or of a file, none
   * when nothing is there. Any thread.
   */
  void read(long queueOffset, int max, UnitWindow window) throws IOException {
    window.begin(queueOffset);
    int count = (int) Math.min(Math.min(max, window.capacity()), end - queueOffset);
    if (count <= 0 || queueOffset < 0) {
      return;
    }
    if (queueOffset >= ringFrom) {
      ring.copy(queueOffset, count, window);
      VarHandle.acquireFence();
      if (queueOffset >= ringFrom) {
        return;
      }
      window.begin(queueOffset);
    }
    readFile(queueOffset, (int) Math.min(count, written - queueOffset), window);
  }

  /** Whether the unit can be had without touching a file. */
  boolean isInMemory(long queueOffset) {
    return queueOffset >= ringFrom;
  }

  /** First unit of the last file but one: what was written lately, so most likely still in the page cache. */
  long nearEnd() {
    long unitsPerFile = fileSize / QueueUnit.SIZE;
    return (end / unitsPerFile - 1) * unitsPerFile;
  }

  /**
   * Units below this one are of messages that lie {@link StoreView#FAR_BYTES} or more behind the queue's last one, which is known without a
   * look at them; not all such units are below it.
   */
  long farBefore() {
    return farBefore;
  }

  /** Clears what stands behind the end in the files there are; true when there was anything. */
  boolean clearBehindEnd(StaleUnits stale) throws IOException {
    boolean cleared = false;
    long at = end * QueueUnit.SIZE;
    for (UnitFile file : files.get()) {
      if (file.start() + fileSize > at) {
        cleared |= stale.clear(file, (int) (Math.max(at, file.start()) - file.start()));
      }
    }
    return cleared;
  }

  /** First unit that has a file; 0 for an empty queue. */
  long firstUnit() {
    UnitFile[] now = files.get();
    return now.length == 0 ? 0 : now[0].start() / QueueUnit.SIZE;
  }

  /** First unit of the file behind the one that holds {@code queueOffset}. */
  long nextFile(long queueOffset) {
    long unitsPerFile = fileSize / QueueUnit.SIZE;
    return Math.min(end, (queueOffset / unitsPerFile + 1) * unitsPerFile);
  }

  /**
   * The first offset whose record is still in the log, which begins at {@code logFirst}; {@link #end()} when there is none. Remembered
   * until the log loses its first file. Any thread.
   */
  long minOffset(long logFirst, UnitWindow window) throws IOException {
    MinOffset known = min;
    if (known.logFirst == logFirst) {
      return known.queueOffset;
    }
    long from = firstUnit();
    long atEnd = end;
    long to = atEnd;
    while (from < to) {
      long middle = (from + to) >>> 1;
      read(middle, 1, window);
      if (window.count() > 0 && window.reaches(0, logFirst)) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    if (atEnd > 0) {
      min = new MinOffset(logFirst, from);
    }
    return from;
  }

  /** Whether {@link #minOffset} can be told without reading a file. */
  boolean knowsMinOffset(long logFirst) {
    return min.logFirst == logFirst || firstUnit() >= ringFrom;
  }

  /** Takes the oldest files away whose last unit points below {@code logFirst}, never the last file; returns them. */
  List<UnitFile> removeBelow(long logFirst, UnitWindow window) throws IOException {
    while (true) {
      UnitFile[] now = files.get();
      int gone = 0;
      while (gone < now.length - 1) {
        read(now[gone + 1].start() / QueueUnit.SIZE - 1, 1, window);
        if (window.count() == 0 || window.phyOffset(0) >= logFirst) {
          break;
        }
        gone++;
      }
      if (gone == 0) {
        return List.of();
      }
      if (files.compareAndSet(now, Arrays.copyOfRange(now, gone, now.length))) {
        return List.of(Arrays.copyOf(now, gone));
      }
    }
  }

  private List<UnitFile> filesFrom(long unit) {
    List<UnitFile> found = new ArrayList<>();
    for (UnitFile file : files.get()) {
      if (file.start() + fileSize > unit * QueueUnit.SIZE) {
        found.add(file);
      }
    }
    return found;
  }

  private void makeRoom(long at, ByteBuffer scratch) throws IOException {
    UnitRing now = ring;
    if (now == null) {
      ring = new UnitRing(FIRST_RING);
      ringFrom = at;
      return;
    }
    if (at - ringFrom < now.capacity()) {
      return;
    }
    if (now.capacity() < MAX_RING && at - written > now.capacity() / 2) {
      ring = now.grown(ringFrom, at);
      return;
    }
    if (at - written >= Math.min(BATCH, now.capacity() / 2)) {
      writePending(scratch);
    }
    // Not beyond what is written: pending units never fill more than half of the ring here.
    ringFrom = at - now.capacity() / 2;
    VarHandle.storeStoreFence();
  }

  private void writeUnits(long first, ByteBuffer units) throws IOException {
    long at = first * QueueUnit.SIZE;
    int limit = units.limit();
    while (units.position() < limit) {
      UnitFile file = fileFor(at);
      int place = (int) (at - file.start());
      int length = Math.min(limit - units.position(), fileSize - place);
      units.limit(units.position() + length);
      if (rederived) {
        file.writeIfDifferent(units, place);
      } else {
        file.write(units, place);
      }
      units.limit(limit);
      at += length;
    }
  }

  /** The file that holds byte {@code at}, which is the last one or the one to be made behind it. */
  private UnitFile fileFor(long at) throws IOException {
    while (true) {
      UnitFile[] now = files.get();
      if (now.length > 0 && at < now[now.length - 1].start() + fileSize) {
        return now[(int) ((at - now[0].start()) / fileSize)];
      }
      if (now.length == 0) {
        makeFolder();
      }
      UnitFile[] longer = Arrays.copyOf(now, now.length + 1);
      longer[now.length] = UnitFile.toBeMade(folder, at / fileSize * fileSize, fileSize, openFiles);
      if (files.compareAndSet(now, longer)) {
        return longer[now.length];
      }
    }
  }

  /** With as few calls of the system as it takes, and without exceptions: tens of thousands of queues may begin in the same second. */
  private void makeFolder() throws IOException {
    File wanted = folder.toFile();
    if (!wanted.mkdir() && !(wanted.getParentFile().mkdir() && wanted.mkdir())) {
      Files.createDirectories(folder);
    }
  }

  private void readFile(long queueOffset, int count, UnitWindow window) throws IOException {
    long at = queueOffset * QueueUnit.SIZE;
    UnitFile[] now = files.get();
    if (now.length == 0 || at < now[0].start()) {
      return;
    }
    int index = (int) ((at - now[0].start()) / fileSize);
    if (index >= now.length) {
      return;
    }
    UnitFile file = now[index];
    int place = (int) (at - file.start());
    int units = Math.min(count, (fileSize - place) / QueueUnit.SIZE);
    ByteBuffer bytes = window.bytes(units);
    try {
      file.read(bytes, place);
    } catch (NoSuchFileException justDeleted) {
      return;
    }
    window.addBytes(units);
  }
}
