package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Replaces a small file so that after a crash either the old or the new one is there, and keeps the one before as {@code .bak}. */
final class DurableFile {
  private DurableFile() {}

  static void replace(Disk disk, Path path, byte[] content) throws IOException {
    disk.makeFolder(path.getParent());
    Path next = path.resolveSibling(path.getFileName() + ".tmp");
    write(disk, next, content);
    if (Files.exists(path)) {
      disk.move(path, backupOf(path));
    }
    disk.move(next, path);
    disk.forceNames(path.getParent());
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

  static Path backupOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".bak");
  }
}
