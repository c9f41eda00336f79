package io.metaq.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Begins the log of a slave anew at a position its master still has. The order is a file beside the log, written while the store is
 * closed and carried out by the next opening, so that an end of the process at any moment loses neither the old files nor the order.
 * What is in the way goes to the folder {@code damaged}; nothing is deleted, but files in which nothing was ever stored.
 */
public final class NewBeginning {
  private static final Pattern POSITION = Pattern.compile("[0-9]{1,18}");

  private NewBeginning() {}

  /**
   * Orders it; the store is closed.
   *
   * @throws StoreException when no file of this store could begin there, or the order cannot be written
   */
  public static void order(StoreOptions options, long position) {
    if (position < 0 || position % options.logFileSize() != 0) {
      throw new StoreException("the master's log begins at " + position + ", which is no multiple of mappedFileSizeCommitLog="
          + options.logFileSize() + "; set it to the master's");
    }
    try {
      DurableFile.write(Disk.real(), orderFile(options), Long.toString(position).getBytes(StandardCharsets.US_ASCII));
    } catch (IOException failure) {
      throw new StoreException("the log of " + options.root() + " cannot be begun anew: " + failure.getMessage(), failure);
    }
  }

  /** Carries out what was ordered, if anything was; before anything else looks at the files. */
  static void carryOut(StoreOptions options, Disk disk, RecoveryLog log) throws IOException {
    Path order = orderFile(options);
    if (!Files.exists(order, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    String digits = Files.isRegularFile(order) ? new String(Files.readAllBytes(order), StandardCharsets.US_ASCII) : "";
    if (!POSITION.matcher(digits).matches()) {
      // Whoever gave it will see that it was not carried out, and give it again.
      log.setAside(order, "is no order to begin the log anew");
      return;
    }
    long position = Long.parseLong(digits);
    clear(options, disk, log, position);
    disk.makeFolder(options.commitLog());
    Segment.open(disk, options.commitLog(), position, options.logFileSize()).release();
    log.progress("the commit log begins anew at " + position);
    disk.delete(order);
    disk.forceNames(order.getParent());
  }

  private static void clear(StoreOptions options, Disk disk, RecoveryLog log, long position) throws IOException {
    List<Path> files = filesOf(options.commitLog());
    if (!files.isEmpty() && nothingStored(files)) {
      for (Path file : files) {
        disk.delete(file);
      }
      return;
    }
    // No file at all: a crash came in between, and the log was moved already.
    for (Path part : List.of(options.commitLog(), options.consumeQueues(), options.index(), options.queueEndsFile(),
        DurableFile.backupOf(options.queueEndsFile()), options.checkpointFile())) {
      if (Files.exists(part)) {
        log.setAside(part, "belongs to a log that ended before its master's began, which is begun anew at " + position);
      }
    }
  }

  private static boolean nothingStored(List<Path> files) throws IOException {
    for (Path file : files) {
      if (!ZeroBytes.only(file)) {
        return false;
      }
    }
    return true;
  }

  private static List<Path> filesOf(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static Path orderFile(StoreOptions options) {
    return options.root().resolve("begin-anew");
  }
}
