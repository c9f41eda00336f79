package io.metaq.nameserver;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.KvTableCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of the key-value table, in RocketMQ's form. A change is written beside it, forced, and put in its place in one step, so
 * that after a crash the file is the old or the new one; the generation before stays beside it as {@code .bak}, for a file that was
 * damaged while it lay there. Blocks: for workers.
 */
final class KvConfigFile {
  private static final Logger log = LoggerFactory.getLogger(KvConfigFile.class);

  private final Path path;

  KvConfigFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * All namespaces; none when there is no file yet.
   *
   * @throws IOException when the file is there and neither it nor the one before can be read: it is never begun anew over the old one
   */
  Map<String, Map<String, String>> read() throws IOException {
    try {
      return decoded(path);
    } catch (NoSuchFileException absent) {
      return Map.of();
    } catch (BodyException damaged) {
      return generationBefore(damaged);
    }
  }

  private Map<String, Map<String, String>> generationBefore(BodyException damaged) throws IOException {
    try {
      Map<String, Map<String, String>> before = decoded(backup());
      Files.move(path, freeNameForDamaged());
      Files.copy(backup(), path);
      log.error("the key-value table is damaged and put aside, going on with the one before; what was changed last may be lost"
          + " kvConfigPath={} fault={}", path, damaged.getMessage());
      return before;
    } catch (NoSuchFileException | BodyException noOther) {
      throw new IOException("kvConfigPath " + path + " cannot be read, nor the one before: " + damaged.getMessage()
          + "; put a copy back, or move it away to begin with an empty table", damaged);
    }
  }

  private static Map<String, Map<String, String>> decoded(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file)) {
      throw new BodyException("it is no file but a folder, or a link that leads nowhere");
    }
    return KvTableCodec.decodeFile(Files.readAllBytes(file));
  }

  private Path freeNameForDamaged() {
    int n = 1;
    while (Files.exists(path.resolveSibling(path.getFileName() + ".damaged-" + n), LinkOption.NOFOLLOW_LINKS)) {
      n++;
    }
    return path.resolveSibling(path.getFileName() + ".damaged-" + n);
  }

  private Path backup() {
    return path.resolveSibling(path.getFileName() + ".bak");
  }

  void write(Map<String, Map<String, String>> namespaces) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      forceNames(folder.getParent());
    }
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try (FileChannel file = FileChannel.open(
        fresh, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(KvTableCodec.encodeFile(namespaces));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    if (Files.exists(path)) {
      // A copy, so that the name that counts is there all the time.
      Files.copy(path, backup(), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceNames(folder);
  }

  private static void forceNames(Path folder) throws IOException {
    try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
      names.force(true);
    }
  }
}
