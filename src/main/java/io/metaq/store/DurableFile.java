package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Replaces a small file so that at any moment, and after a crash, either the old or the new one has its name, and keeps the one before:
 *
 * <pre>
 *   name.new   being written; whole only once it was forced
 *   name       the current one
 *   name.bak   the one before
 * </pre>
 *
 * <p>On a file system without links the current one is renamed to {@code .bak}, and between the two renames {@code .new} is the one that
 * is whole.
 */
public final class DurableFile {
  private DurableFile() {}

  /**
   * Replaces the file, which need not exist; the new content is on the disk when this returns.
   *
   * @throws IOException when it could not be written; the current one is then still in place
   */
  public static void replace(Disk disk, Path path, byte[] content) throws IOException {
    disk.makeFolder(path.getParent());
    Path next = nextOf(path);
    write(disk, next, content);
    if (Files.exists(path)) {
      keepAsBackup(disk, path);
    }
    disk.move(next, path);
    disk.forceNames(path.getParent());
  }

  /** Lets {@code .bak} be a second name of the file; where a file can have only one, it is without its own for a moment. */
  private static void keepAsBackup(Disk disk, Path path) throws IOException {
    Path second = path.resolveSibling(path.getFileName() + ".old");
    disk.delete(second);
    try {
      disk.link(path, second);
    } catch (UnsupportedOperationException | IOException noLinksHere) {
      disk.move(path, backupOf(path));
      return;
    }
    disk.move(second, backupOf(path));
  }

  /** Makes a file, or overwrites the one there is in its place; content and name are on the disk then. */
  static void write(Disk disk, Path path, byte[] content) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.truncate(content.length);
      disk.force(path, channel, true);
    }
    disk.forceNames(path.getParent());
  }

  /** Where the next one is written. */
  public static Path nextOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".new");
  }

  /** Where the one before is. */
  public static Path backupOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".bak");
  }
}
