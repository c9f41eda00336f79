package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One file of a consume queue: bytes {@code [start, start + size)} of the queue's units. Read from any thread, written by the
 * dispatcher, always at explicit places. The channel is opened when needed and may be closed behind our back by {@link OpenFiles} or by
 * an interrupt that hits another reader; then it is opened anew.
 */
@OwnedBy("nobody: the channel is swapped atomically")
final class UnitFile {
  private final Path path;
  private final long start;
  private final OpenFiles openFiles;
  private final AtomicReference<FileChannel> kept = new AtomicReference<>();
  private volatile int lastUsed;
  private volatile boolean named;
  /** Length to make the file with when it is used next; 0 for one that is there. */
  private volatile int sizeToMake;

  UnitFile(Path path, long start, OpenFiles openFiles) {
    this(path, start, 0, openFiles);
  }

  private UnitFile(Path path, long start, int sizeToMake, OpenFiles openFiles) {
    this.path = path;
    this.start = start;
    this.openFiles = openFiles;
    this.sizeToMake = sizeToMake;
    this.named = sizeToMake == 0;
  }

  /** One that its first use makes at full length, sparse, if it is not there. */
  static UnitFile toBeMade(Path folder, long start, int size, OpenFiles openFiles) {
    return new UnitFile(folder.resolve(FileNames.ofStart(start)), start, size, openFiles);
  }

  private interface Use {
    void with(FileChannel channel) throws IOException;
  }

  Path path() {
    return path;
  }

  /** Whether its name is on the disk, so far as we know. */
  boolean named() {
    return named;
  }

  /** Notes whether its name is on the disk. */
  void named(boolean sure) {
    named = sure;
  }

  /** Byte place of the file's start in its queue. */
  long start() {
    return start;
  }

  int lastUsed() {
    return lastUsed;
  }

  /** Fills {@code to} from {@code place} on; stops early at the end of the file. */
  void read(ByteBuffer to, int place) throws IOException {
    int position = to.position();
    use(channel -> {
      to.position(position);
      int at = place;
      while (to.hasRemaining()) {
        int count = channel.read(to, at);
        if (count < 0) {
          return;
        }
        at += count;
      }
    });
  }

  /** Writes all that remains in {@code from} at {@code place}. */
  void write(ByteBuffer from, int place) throws IOException {
    int position = from.position();
    use(channel -> {
      from.position(position);
      int at = place;
      while (from.hasRemaining()) {
        at += channel.write(from, at);
      }
    });
  }

  /** As {@link #write}, but leaves a file alone that holds these bytes already: reading costs the file system much less. */
  void writeIfDifferent(ByteBuffer from, int place) throws IOException {
    ByteBuffer held = ByteBuffer.allocate(from.remaining());
    read(held, place);
    if (held.flip().equals(from)) {
      from.position(from.limit());
    } else {
      write(from, place);
    }
  }

  /** Brings what was written to the disk; a file that was deleted meanwhile needs it no more. */
  void force(Disk disk) throws IOException {
    try {
      use(channel -> disk.force(path, channel, false));
    } catch (NoSuchFileException deleted) {
      return;
    }
  }

  /** Closes the channel if it is open; the file can be used again all the same. */
  void close() {
    FileChannel channel = kept.get();
    if (channel != null) {
      drop(channel);
    }
  }

  void delete(Disk disk) throws IOException {
    close();
    disk.delete(path);
  }

  private void use(Use use) throws IOException {
    while (true) {
      FileChannel channel = kept.get();
      boolean passing = false;
      if (channel == null) {
        channel = open();
        passing = !keep(channel);
      }
      lastUsed = openFiles.round();
      try {
        use.with(channel);
        return;
      } catch (ClosedByInterruptException interrupted) {
        drop(channel);
        throw interrupted;
      } catch (ClosedChannelException closedByAnother) {
        drop(channel);
      } finally {
        if (passing) {
          channel.close();
        }
      }
    }
  }

  private FileChannel open() throws IOException {
    int size = sizeToMake;
    if (size == 0) {
      return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    try {
      if (file.length() < size) {
        file.setLength(size);
      }
    } catch (IOException failure) {
      file.close();
      throw failure;
    }
    sizeToMake = 0;
    return file.getChannel();
  }

  private boolean keep(FileChannel channel) {
    if (!openFiles.tryKeep(this)) {
      return false;
    }
    if (kept.compareAndSet(null, channel)) {
      return true;
    }
    openFiles.gone(this);
    return false;
  }

  private void drop(FileChannel channel) {
    if (kept.compareAndSet(channel, null)) {
      openFiles.gone(this);
      try {
        channel.close();
      } catch (IOException nothingToSave) {
        // All that was written is in the hands of the operating system already.
        return;
      }
    }
  }
}
