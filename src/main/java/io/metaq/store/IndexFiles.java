package io.metaq.store;

import io.metaq.codec.store.IndexLayout;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The key index's files as recovery handles them. A file that cannot be right is put aside together with all newer ones, and their part
 * is made again from the log. After an unclean exit the newest file keeps the entries that the last checkpoint covers.
 */
@OwnedBy("whoever opens the store")
final class IndexFiles {
  private final Disk disk;
  private final Path folder;
  private final int slots;
  private final int entries;
  private final RecoveryLog log;
  private final List<IndexFile> files = new ArrayList<>();
  private boolean damaged;

  IndexFiles(StoreOptions options, Disk disk, RecoveryLog log) {
    this.disk = disk;
    this.folder = options.index();
    this.slots = options.indexSlots();
    this.entries = options.indexEntries();
    this.log = log;
  }

  /** Opens every file there is. */
  void load() throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    for (Path path : children()) {
      if (!path.getFileName().toString().matches("\\d{17}")) {
        log.warn(path + " does not belong to the store and was left alone");
      } else if (damaged) {
        log.setAside(path, "is newer than a damaged index file");
      } else {
        load(path);
      }
    }
  }

  /** Whether files were put aside, so that what they knew must be indexed again. */
  boolean damaged() {
    return damaged;
  }

  /** Log position of the last record known; -1 when there is none. */
  long endPhyOffset() {
    for (int i = files.size() - 1; i >= 0; i--) {
      if (!files.get(i).isEmpty()) {
        return files.get(i).endPhyOffset();
      }
    }
    return -1;
  }

  /** Forgets entries of records at or behind {@code phyOffset}. */
  void keepBelow(long phyOffset) throws IOException {
    while (!files.isEmpty()) {
      IndexFile last = files.get(files.size() - 1);
      last.rebuild(phyOffset);
      if (!last.isEmpty() || files.size() == 1) {
        return;
      }
      files.remove(files.size() - 1);
      last.file().retire();
    }
  }

  List<IndexFile> files() {
    return files;
  }

  /** Lets go of all files, when the store cannot be opened after all. */
  void close() {
    files.forEach(file -> file.file().release());
  }

  private void load(Path path) throws IOException {
    if (Files.isRegularFile(path) && Files.size(path) == IndexLayout.fileSize(slots, entries)) {
      IndexFile file = IndexFile.open(disk, path, slots, entries);
      if (file.isPlausible()) {
        files.add(file);
        return;
      }
      file.file().release();
    }
    damaged = true;
    log.setAside(path, "is damaged or has another size than configured");
  }

  private List<Path> children() throws IOException {
    try (Stream<Path> found = Files.list(folder)) {
      return found.sorted().toList();
    }
  }
}
