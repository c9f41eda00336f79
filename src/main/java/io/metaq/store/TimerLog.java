package io.metaq.store;

import io.metaq.codec.store.TimerUnit;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The files of {@code timerlog/}: units of {@link TimerUnit} in the order they were added. Appended units are collected and written
 * together; read are only written ones, by mapping.
 */
@OwnedBy("TimerVerticle")
final class TimerLog {
  /** Units that are written together at most. */
  static final int PENDING_UNITS = 1024;

  private static final int CLEAR_BYTES = 64 * 1024;

  private final Disk disk;
  private final Path folder;
  private final int fileSize;
  private final List<MappedFile> files = new ArrayList<>();
  private final List<MappedFile> unforced = new ArrayList<>();
  private final ByteBuffer pending = ByteBuffer.allocateDirect(PENDING_UNITS * TimerUnit.SIZE);
  private long begin;
  private long written;

  /** Visits units in order; says whether the one it is shown is sound. */
  interface Visitor {
    boolean unit(TimerEntry unit) throws IOException;
  }

  private TimerLog(Disk disk, Path folder, int fileSize) {
    this.disk = disk;
    this.folder = folder;
    this.fileSize = fileSize;
  }

  /**
   * Opens what is there. Where its units end is told by {@link #cutAt}.
   *
   * @throws StoreException when a file has another length than {@code fileSize}, or one is missing
   */
  static TimerLog open(Disk disk, Path folder, int fileSize) throws IOException {
    TimerLog log = new TimerLog(disk, folder, fileSize);
    disk.makeFolder(folder);
    try {
      for (long start : startsIn(folder)) {
        log.take(start);
      }
    } catch (IOException | RuntimeException failure) {
      log.close();
      throw failure;
    }
    return log;
  }

  private static List<Long> startsIn(Path folder) throws IOException {
    try (Stream<Path> names = Files.list(folder)) {
      return names.map(path -> FileNames.startOf(path.getFileName().toString()))
          .filter(OptionalLong::isPresent).map(OptionalLong::getAsLong).sorted().toList();
    }
  }

  /** Where the files of a folder end; 0 without any. */
  static long endIn(Path folder) throws IOException {
    List<Long> starts = Files.isDirectory(folder) ? startsIn(folder) : List.of();
    if (starts.isEmpty()) {
      return 0;
    }
    long last = starts.get(starts.size() - 1);
    return last + Files.size(folder.resolve(FileNames.ofStart(last)));
  }

  private void take(long start) throws IOException {
    Path path = folder.resolve(FileNames.ofStart(start));
    long size = Files.size(path);
    if (size != 0 && size != fileSize) {
      throw new StoreException("the timer log's file " + path + " has " + size + " bytes, not the " + fileSize
          + " of mappedFileSizeTimerLog; the setting must stay as it was when the store was made");
    }
    if (files.isEmpty()) {
      begin = start;
      written = start;
    } else if (start != capacityEnd()) {
      throw new StoreException("the timer log's file in front of " + path + " is missing; put it back, or move the folder timerlog,"
          + " the file timerwheel and config/timercheck away: then they are made again from the commit log");
    }
    files.add(MappedFile.open(disk, path, fileSize));
  }

  /** Place of the first unit that is still there. */
  long begin() {
    return begin;
  }

  /** Place behind the last unit, be it written or not. */
  long end() {
    return written + pending.position();
  }

  /** Where the files end. */
  private long capacityEnd() {
    return begin + (long) files.size() * fileSize;
  }

  /** Whether no unit waits for {@link #write}. */
  boolean isWritten() {
    return pending.position() == 0;
  }

  /** Whether no more units can be added before {@link #write}. */
  boolean full() {
    return pending.remaining() < TimerUnit.SIZE;
  }

  /**
   * Adds a unit, to be written later; not while {@link #full}.
   *
   * @param previous place of the unit before it in its chain
   */
  void append(TimerEntry unit, long previous) throws IOException {
    long room = files.isEmpty() ? 0 : capacityEnd() - end();
    if (room < TimerUnit.SIZE + TimerUnit.MARKER_SIZE) {
      write();
      nextFile(room);
    }
    unit.append(pending, end(), previous);
  }

  private void nextFile(long room) throws IOException {
    if (room > 0) {
      ByteBuffer marker = ByteBuffer.allocate(TimerUnit.MARKER_SIZE);
      marker.putInt((int) room).putLong(0).putInt(TimerUnit.MARKER);
      last().write((int) (written % fileSize), marker, 0, marker.capacity());
    }
    long start = files.isEmpty() ? begin : capacityEnd();
    files.add(MappedFile.open(disk, folder.resolve(FileNames.ofStart(start)), fileSize));
    written = start;
  }

  /** Writes what was appended; when that fails it stays to be written. */
  void write() throws IOException {
    int length = pending.position();
    if (length > 0) {
      MappedFile file = last();
      try {
        file.write((int) (written % fileSize), pending, 0, length);
      } catch (IOException failure) {
        pending.position(length);
        throw failure;
      }
      written += length;
      if (!unforced.contains(file)) {
        unforced.add(file);
      }
    }
  }

  private MappedFile last() {
    return files.get(files.size() - 1);
  }

  /** Reads the written unit at a place; false when there is none, or no sound one. */
  boolean read(long place, TimerEntry unit) {
    return place >= begin && place + TimerUnit.SIZE <= written && unit.read(fileOf(place).bytes(), (int) (place % fileSize), place);
  }

  private MappedFile fileOf(long place) {
    return files.get((int) ((place - begin) / fileSize));
  }

  /** The place of a unit so many units in front of {@code end} or a little more, or the first one. */
  long before(long end, int units) {
    long wanted = Math.max(begin, end - (long) units * TimerUnit.SIZE);
    return wanted - wanted % fileSize % TimerUnit.SIZE;
  }

  /**
   * Shows units from {@code from} on, until one is not sound or the visitor says so.
   *
   * @return place behind the last sound one
   */
  long scan(long from, long to, TimerEntry unit, Visitor visitor) throws IOException {
    long at = Math.max(from, begin);
    while (at < Math.min(to, capacityEnd())) {
      MappedFile file = fileOf(at);
      int place = (int) (at % fileSize);
      if (fileSize - place < TimerUnit.SIZE + TimerUnit.MARKER_SIZE) {
        // A marker, or less than one: what comes next stands in the next file.
        at += fileSize - place;
      } else if (unit.read(file.bytes(), place, at) && visitor.unit(unit)) {
        at += TimerUnit.SIZE;
      } else {
        return at;
      }
    }
    return Math.min(at, capacityEnd());
  }

  /** Says where the units end; what is behind is cleared, so that no later scan takes it for units. */
  void cutAt(long end) throws IOException {
    written = Math.max(begin, end);
    while (files.size() > 1 && written <= capacityEnd() - fileSize) {
      files.remove(files.size() - 1).retire();
    }
    if (!files.isEmpty() && written < capacityEnd()) {
      clear(last(), (int) (written % fileSize));
    }
  }

  private void clear(MappedFile file, int from) throws IOException {
    ByteBuffer read = ByteBuffer.allocate(CLEAR_BYTES);
    ByteBuffer zeros = ByteBuffer.allocate(CLEAR_BYTES);
    int at = from;
    boolean used = true;
    while (used && at < fileSize) {
      int length = Math.min(CLEAR_BYTES, fileSize - at);
      read.clear().limit(length);
      file.read(at, read);
      used = !ZeroBytes.all(read, 0, length);
      if (used) {
        file.write(at, zeros, 0, length);
      }
      at += length;
    }
  }

  /** The files that were written to since the last call. */
  List<MappedFile> takeUnforced() {
    List<MappedFile> taken = List.copyOf(unforced);
    unforced.clear();
    return taken;
  }

  /**
   * Deletes the oldest file when no unit in it is for {@code fromMs} or later; never one that is to be forced. True when it did.
   */
  boolean deleteFirst(long fromMs, TimerEntry unit) throws IOException {
    if (files.size() < 2 || unforced.contains(files.get(0))) {
      return false;
    }
    long fileEnd = begin + fileSize;
    long passed = scan(begin, fileEnd, unit, seen -> seen.timeMs() < fromMs);
    if (passed < fileEnd) {
      return false;
    }
    files.remove(0).retire();
    begin = fileEnd;
    return true;
  }

  void close() {
    files.forEach(MappedFile::release);
    files.clear();
  }
}
