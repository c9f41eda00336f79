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
  private final Path root;
  private final Path path;

  public TimerCheckFile(Path root, Disk disk) {
    this.disk = disk;
    this.root = root;
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

  /** Whether the current generation is there, but nobody has written it so. */
  public boolean isDamaged() throws IOException {
    return Files.exists(path) && decoded(path).isEmpty();
  }

  /** Puts the current generation aside into the folder {@code damaged}. */
  public void putAside(String mark) throws IOException {
    putAside(path, mark);
  }

  /** Puts both generations aside: nothing is noted then. */
  public void putAllAside(String mark) throws IOException {
    putAside(path, mark);
    putAside(DurableFile.backupOf(path), mark);
  }

  private void putAside(Path file, String mark) throws IOException {
    if (Files.exists(file)) {
      Path aside = root.resolve("damaged");
      disk.makeFolder(aside);
      disk.move(file, aside.resolve(file.getFileName() + "." + mark));
      disk.forceNames(file.getParent());
      disk.forceNames(aside);
    }
  }

  /** Replaces it; on the disk when this returns. */
  public void write(TimerCheck check) throws IOException {
    DurableFile.replace(disk, path, TimerCheckLayout.encode(check));
  }

  private static Optional<TimerCheck> decoded(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      return Optional.empty();
    }
    try {
      return TimerCheckLayout.decode(Files.readAllBytes(file));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }
}
