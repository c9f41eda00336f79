package io.metaq.store;

import io.metaq.codec.store.TimerCheckLayout;
import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The file {@code config/timercheck} of a store, with the generation before it as {@code .bak}. */
public final class TimerCheckFile {
  private final Disk disk;
  private final Path path;

  public TimerCheckFile(Path root, Disk disk) {
    this.disk = disk;
    path = root.resolve("config").resolve("timercheck");
  }

  /**
   * The newest generation that fits a commit log.
   *
   * @param logEnd where the log ends; what was written with more of it tells of messages that are not there
   */
  public Optional<TimerCheck> read(long logEnd) throws IOException {
    Optional<TimerCheck> newest = decoded(path).filter(check -> check.coversPhy() <= logEnd);
    return newest.isPresent() ? newest : decoded(DurableFile.backupOf(path)).filter(check -> check.coversPhy() <= logEnd);
  }

  /** Replaces it; on the disk when this returns. */
  public void write(TimerCheck check) throws IOException {
    DurableFile.replace(disk, path, TimerCheckLayout.encode(check));
  }

  private static Optional<TimerCheck> decoded(Path file) throws IOException {
    try {
      return TimerCheckLayout.decode(Files.readAllBytes(file));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }
}
