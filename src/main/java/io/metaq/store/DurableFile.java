package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces a small file so that after a crash either the old or the new one is there, and keeps the one before as {@code .bak}. */
final class DurableFile {
  private DurableFile() {}

  static void replace(Path path, byte[] content) throws IOException {
    Files.createDirectories(path.getParent());
    Path next = path.resolveSibling(path.getFileName() + ".tmp");
    write(next, content);
    if (Files.exists(path)) {
      Files.move(path, backupOf(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    forceFolder(path.getParent());
  }

  /** Makes a file, or overwrites the one there is in its place; content and name are on the disk then. */
  static void write(Path path, byte[] content) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.truncate(content.length);
      channel.force(true);
    }
    forceFolder(path.getParent());
  }

  static Path backupOf(Path path) {
    return path.resolveSibling(path.getFileName() + ".bak");
  }

  /** Forces the names in a folder; a system that cannot (Windows) keeps them by itself. */
  static void forceFolder(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException notPossibleHere) {
      return;
    }
  }
}
