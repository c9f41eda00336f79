package io.metaq.embedded;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a cluster keeps its data.
 *
 * @param kept whether it stays when the cluster ends
 */
record DataFolder(Path path, boolean kept) {
  private static final Logger log = LoggerFactory.getLogger(DataFolder.class);

  /** The wanted one, else a new one under the system's folder for temporary files. */
  static DataFolder of(Optional<Path> wanted) {
    try {
      return wanted.isPresent()
          ? new DataFolder(Files.createDirectories(wanted.get()), true)
          : new DataFolder(Files.createTempDirectory("metaq-embedded-"), false);
    } catch (IOException failure) {
      throw EmbeddedMetaqException.startFailed("the folder of an embedded cluster cannot be made: " + failure, failure);
    }
  }

  /** Removes it with all that is in it, unless it is to be kept. What cannot be removed is told of in the log. */
  void release() {
    if (kept) {
      return;
    }
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException failure) {
      log.warn("the temporary folder of an embedded cluster could not be removed folder={}", path, failure);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
      if (failure != null) {
        throw failure;
      }
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
