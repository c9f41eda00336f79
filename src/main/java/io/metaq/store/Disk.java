package io.metaq.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The way to the disk. All that makes the store's files durable goes through here, and all that changes their names once they are in use,
 * so that a test can keep only what was forced and see whether that is enough to go on from. So do the reads whose failure decides whether
 * a file is kept.
 *
 * <p>What is promised is no more than POSIX says: forced bytes and the length of their file stay, a name stays when its folder was
 * forced, and changes of names in one folder never overtake one another.
 */
public interface Disk {
  /**
   * Returns when everything written to the file is on the disk, and its length.
   *
   * @param attributesToo whether also what no reader needs, such as its times
   */
  void force(Path file, FileChannel channel, boolean attributesToo) throws IOException;

  /** Returns when what was written to {@code [from, to)} of the mapped file is on the disk. */
  void force(Path file, MappedByteBuffer bytes, int from, int to) throws IOException;

  /** Returns when the names in the folder are on the disk. */
  void forceNames(Path folder) throws IOException;

  /** Gives a file or folder another name, at once and in place of what had it. */
  void move(Path from, Path to) throws IOException;

  /**
   * Gives a file the name {@code second} beside the one it has.
   *
   * @throws IOException when something has that name already
   * @throws UnsupportedOperationException when the file system cannot
   */
  void link(Path file, Path second) throws IOException;

  /** A file that is read as a whole at a start, from its beginning. */
  default InputStream read(Path file) throws IOException {
    return Files.newInputStream(file);
  }

  /** Takes a file's name away if it is there. */
  void delete(Path file) throws IOException;

  /** Makes a folder with all above it that are missing; their names are on the disk then. */
  default void makeFolder(Path folder) throws IOException {
    Path above = folder.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder) && above != null) {
      makeFolder(above);
      Files.createDirectories(folder);
      forceNames(above);
    }
  }

  /** This machine's. */
  static Disk real() {
    return RealDisk.INSTANCE;
  }
}
