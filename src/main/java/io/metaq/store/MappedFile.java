package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One data file of fixed length: mapped for reading, with a channel for writes and reads at a place. Reference-counted: whoever reads from the
 * mapping holds a reference, and the last one to let go unmaps and closes. A {@link #retire retired} file loses its name at once and its
 * bytes then. To close a file without a name takes the system as long as to free its blocks, 150 ms were seen: who lends a file to event
 * loops keeps its own reference until theirs are back ({@link #endIfUnused}).
 *
 * <p>The JDK closes a channel when the thread that uses it is interrupted; the call fails then, and the next one opens the file anew.
 */
@OwnedBy("nobody: counts are atomic, writers are told apart by their users")
final class MappedFile {
  private static final Logger log = LoggerFactory.getLogger(MappedFile.class);

  private final Disk disk;
  private final Path path;
  private final int size;
  private final Mapping mapping;
  private final AtomicInteger references = new AtomicInteger(1);
  private volatile RandomAccessFile file;
  private volatile boolean deleteAtEnd;

  private MappedFile(Disk disk, Path path, int size, RandomAccessFile file, Mapping mapping) {
    this.disk = disk;
    this.path = path;
    this.size = size;
    this.file = file;
    this.mapping = mapping;
  }

  /**
   * Opens a file, and makes it or lengthens it to {@code size} (sparse) when it is shorter. A made file is on the disk with its length
   * first and its name then: what is forced into it later can be found after a power cut, and no file is found that is too short.
   */
  static MappedFile open(Disk disk, Path path, int size) throws IOException {
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      if (file.length() < size) {
        file.setLength(size);
        disk.force(path, file.getChannel(), true);
        disk.forceNames(path.getParent());
      }
      return new MappedFile(disk, path, size, file, Mapping.of(file.getChannel(), size));
    } catch (IOException | RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  Path path() {
    return path;
  }

  int size() {
    return size;
  }

  /** The mapped bytes; only while a reference is held. */
  MappedByteBuffer bytes() {
    return mapping.bytes();
  }

  /** Takes a reference; false when the file is already gone. */
  boolean retain() {
    int count = references.get();
    while (count > 0) {
      if (references.compareAndSet(count, count + 1)) {
        return true;
      }
      count = references.get();
    }
    return false;
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      end();
    }
  }

  /** Takes the file's name away and lets the store's own reference go; readers go on until they are done. */
  void retire() {
    loseName();
    release();
  }

  /**
   * Takes the file's name away, and nothing else. At once, so that files vanish in the order they are retired in: one that a reader kept
   * behind a younger one would be a gap after a crash.
   */
  synchronized void loseName() {
    deleteAtEnd = !delete();
  }

  /** Lets the store's own reference go if there is no other; true when it is gone. Waits for the disk. */
  boolean endIfUnused() {
    boolean unused = references.compareAndSet(1, 0);
    if (unused) {
      end();
    }
    return unused;
  }

  /** Writes all of {@code [from, from + length)} of {@code source} at {@code at}; moves the position and limit of {@code source}. */
  void write(int at, ByteBuffer source, int from, int length) throws IOException {
    source.limit(from + length).position(from);
    try {
      FileChannel channel = channel();
      int place = at;
      while (source.hasRemaining()) {
        place += channel.write(source, place);
      }
    } finally {
      source.clear();
    }
  }

  /**
   * Reads into {@code target} from {@code at} on, until it is full or the file ends; through the channel, so that space which was never
   * written can be read on a full disk too, where a mapping of it may have no page to show.
   */
  void read(int at, ByteBuffer target) throws IOException {
    FileChannel channel = channel();
    int place = at;
    int count = 0;
    while (target.hasRemaining() && count >= 0) {
      count = channel.read(target, place);
      place += count;
    }
  }

  /** Forces everything written to this file, by whatever way, through the channel. */
  void forceChannel() throws IOException {
    disk.force(path, channel(), false);
  }

  /** Forces the bytes of {@code [from, to)} through the mapping; not disturbed by interrupts. */
  void forceMapping(int from, int to) throws IOException {
    disk.force(path, mapping.bytes(), from, to);
  }

  /**
   * Forces the bytes of {@code [from, to)} through a mapping of an own descriptor. The system tells each descriptor of a failed write once,
   * and the one who forces the log must not miss one that somebody else was told of.
   */
  void forceAside(int from, int to) throws IOException {
    try (RandomAccessFile own = new RandomAccessFile(path.toFile(), "rw")) {
      Mapping aside = Mapping.of(own.getChannel(), size);
      try {
        disk.force(path, aside.bytes(), from, to);
      } finally {
        aside.unmap();
      }
    }
  }

  /** For reads and writes at a place; only while a reference is held. */
  FileChannel channel() throws IOException {
    FileChannel channel = file.getChannel();
    return channel.isOpen() ? channel : reopened();
  }

  /** Not on the data path: several may find the channel closed by an interrupt. A file without a name is not made anew. */
  private synchronized FileChannel reopened() throws IOException {
    if (!file.getChannel().isOpen()) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      file = new RandomAccessFile(path.toFile(), "rw");
    }
    return file.getChannel();
  }

  private void end() {
    try {
      try {
        mapping.unmap();
      } finally {
        file.close();
      }
    } catch (IOException failure) {
      log.warn("cannot close a data file path={}", path, failure);
    }
    if (deleteAtEnd && !delete()) {
      log.warn("cannot delete a data file path={}", path);
    }
  }

  /** False where the system does not let go of the name of an open file (Windows). */
  private boolean delete() {
    try {
      disk.delete(path);
      return true;
    } catch (IOException stillOpen) {
      return false;
    }
  }
}
