package io.metaq.nameserver;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.KvTableCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/**
 * The file of the key-value table, in RocketMQ's form. A change is written beside it, forced, and put in its place in one step, so
 * that after a crash the file is the old or the new one. Blocks: for workers.
 */
final class KvConfigFile {
  private final Path path;

  KvConfigFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * All namespaces; none when there is no file yet.
   *
   * @throws IOException when the file is there and cannot be read: it is never begun anew over the old one
   */
  Map<String, Map<String, String>> read() throws IOException {
    try {
      return KvTableCodec.decodeFile(Files.readAllBytes(path));
    } catch (NoSuchFileException absent) {
      return Map.of();
    } catch (BodyException damaged) {
      throw new IOException("kvConfigPath " + path + " cannot be read: " + damaged.getMessage(), damaged);
    }
  }

  void write(Map<String, Map<String, String>> namespaces) throws IOException {
    Files.createDirectories(path.getParent());
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try (FileChannel file = FileChannel.open(
        fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(KvTableCodec.encodeFile(namespaces));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    try (FileChannel folder = FileChannel.open(path.getParent(), StandardOpenOption.READ)) {
      folder.force(true);
    }
  }
}
