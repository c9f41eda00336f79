package io.metaq.store;

import io.metaq.codec.store.CheckpointLayout;
import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Turns the files of a store, in whatever state the last process left them, into a state to go on from: the log ends behind its last
 * sound record, no queue and no index knows more than that, and what they lack is named by the place dispatch starts from.
 *
 * <p>What decides: {@code config/queueEnds.json} tells what was surely on the disk, so the log is checked from there on and everything
 * behind is derived again. Without it (a store of Apache RocketMQ) the rules of the protocol facts hold: after a clean exit what the
 * queues cover, after an unclean one the times of {@code checkpoint}. A queue or index that is missing or damaged, or a log shorter than
 * the queues, makes the whole log be read.
 */
@OwnedBy("whoever opens the store")
final class Recovery {
  /** So far may the last store time lie ahead of the clock without a word. */
  private static final long WELL_AHEAD_MS = 600_000;

  private final StoreOptions options;
  private final Disk disk;
  private final Clock clock;
  private final RecoveryLog log;

  private boolean cleanExit;
  private Optional<QueueEnds> noted;
  private boolean noteDamaged;
  private Optional<Checkpoint> checkpoint;
  private LogFiles logFiles;
  private QueueFiles queueFiles;
  private IndexFiles indexFiles;

  Recovery(StoreOptions options, Disk disk, Clock clock, Consumer<String> progress) {
    this.options = options;
    this.disk = disk;
    this.clock = clock;
    this.log = new RecoveryLog(options, disk, progress);
  }

  /** What is to be gone on from; the queues' files want to be told when all that is behind is derived. */
  record Recovered(
      Segments segments,
      QueueFiles queueFiles,
      Optional<KeyIndex> index,
      QueueEnds noted,
      RecoveryReport report) {}

  Recovered run() throws IOException {
    NewBeginning.carryOut(options, disk, log);
    boolean strangeMark = putAsideUnlessFile(options.abortFile());
    cleanExit = !strangeMark && !Files.exists(options.abortFile());
    if (!cleanExit) {
      log.progress("the store was not closed in order, recovering");
    }
    noted = readQueueEnds();
    checkpoint = readCheckpoint();
    indexFiles = new IndexFiles(options, disk, log);
    logFiles = LogFiles.load(options, disk, cleanExit, log);
    try {
      return recover();
    } catch (IOException | RuntimeException | Error failure) {
      logFiles.close();
      indexFiles.close();
      if (queueFiles != null) {
        queueFiles.queues().openFiles().closeAll();
      }
      throw failure;
    }
  }

  private void tellTimeAhead(long aheadMs) {
    if (aheadMs >= WELL_AHEAD_MS) {
      log.warn("the last message of the commit log was stored " + aheadMs / 60_000 + " minutes ahead of the clock; store times never go"
          + " back, so until the clock has come there all messages get that one");
    }
  }

  private Recovered recover() throws IOException {
    queueFiles = new QueueFiles(options, disk, cleanExit, noted, noteDamaged && noted.isEmpty(), logFiles, log);
    queueFiles.load();
    if (options.indexEnabled()) {
      indexFiles.load();
    }
    long safe = safeStart();
    logFiles.scan(safe);
    long end = logFiles.end();
    logFiles.tellDamagedBefore(Math.min(safe, end));
    logFiles.cut(cleanExit);
    if (!cleanExit) {
      logFiles.force(safe);
    }
    queueFiles.cutBehind(end);
    if (!cleanExit || indexFiles.endPhyOffset() >= end) {
      indexFiles.keepBelow(Math.min(safe, end));
    }
    long dispatchFrom = dispatchStart(safe);
    tellTimeAhead(logFiles.lastStoreTimestamp() - clock.millis());
    RecoveryReport report =
        new RecoveryReport(cleanExit, safe, end, logFiles.lastStoreTimestamp(), dispatchFrom, log.warnings());
    Optional<KeyIndex> index = options.indexEnabled()
        ? Optional.of(new KeyIndex(disk, options.index(), options.indexSlots(), options.indexEntries(), clock, indexFiles.files(),
            checkpoint.map(Checkpoint::indexTimestamp).orElse(0L)))
        : Optional.empty();
    return new Recovered(
        new Segments(disk, options.commitLog(), options.logFileSize(), logFiles.segments()),
        queueFiles, index, noted.orElseGet(QueueEnds::new), report);
  }

  /** Where the check of the log begins: everything below is on the disk and known to the queues. */
  private long safeStart() throws IOException {
    long first = logFiles.first();
    long start = noted.isPresent() ? noted.get().phyOffset() : startByTimes();
    if (start < first || start > logFiles.capacityEnd()) {
      return first;
    }
    long last = queueFiles.maxPhyOffset();
    if (last >= first && last < start) {
      if (!logFiles.hasRecord(last, queueFiles.lastSize())) {
        log.warn("the commit log is shorter than the consume queues, so all of it is checked");
        return first;
      }
      logFiles.noteRecord(last);
    }
    return start;
  }

  /** The rules for a store that has no note of ours: the newest file whose first record the queues or the checkpoint surely cover. */
  private long startByTimes() {
    List<Segment> segments = logFiles.segments();
    for (int i = segments.size() - 1; i > 0; i--) {
      OptionalLong time = logFiles.firstStoreTime(segments.get(i));
      boolean covered = cleanExit
          ? time.isPresent() && time.getAsLong() > 0 && segments.get(i).start() <= queueFiles.maxPhyOffset()
          : time.isPresent() && time.getAsLong() <= checkpoint.map(Checkpoint::safeTimestamp).orElse(0L);
      if (covered) {
        return segments.get(i).start();
      }
    }
    return logFiles.first();
  }

  private long dispatchStart(long safe) {
    long first = logFiles.first();
    if (queueFiles.rebuildWanted()) {
      return first;
    }
    boolean indexLost = options.indexEnabled() && noted.isPresent()
        && noted.get().indexEndPhyOffset() >= 0 && indexFiles.endPhyOffset() < noted.get().indexEndPhyOffset();
    if (indexFiles.damaged() || indexLost) {
      log.warn("the key index is made again from the commit log");
      return Math.min(safe, Math.max(first, indexFiles.endPhyOffset()));
    }
    return Math.min(safe, logFiles.end());
  }

  /**
   * The newest note that can be read; one that is damaged is put aside, for the next checkpoint would write over it. One that may not be
   * read is no damaged one: the start is refused.
   */
  private Optional<QueueEnds> readQueueEnds() throws IOException {
    Optional<QueueEnds> newest = Optional.empty();
    for (Path path : List.of(options.queueEndsFile(), DurableFile.backupOf(options.queueEndsFile()))) {
      putAsideUnlessFile(path);
      try (InputStream in = disk.read(path)) {
        QueueEnds note = QueueEndsText.decode(in.readAllBytes());
        newest = newest.or(() -> Optional.of(note));
      } catch (NoSuchFileException missing) {
        continue;
      } catch (AccessDeniedException denied) {
        throw denied;
      } catch (IOException unreadable) {
        noteDamaged = true;
        log.setAside(path, "cannot be read: " + DiskFault.reasonOf(unreadable));
      }
    }
    return newest;
  }

  private Optional<Checkpoint> readCheckpoint() throws IOException {
    Path path = options.checkpointFile();
    putAsideUnlessFile(path);
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    Optional<Checkpoint> read = CheckpointLayout.decode(Files.readAllBytes(path));
    if (read.isEmpty()) {
      log.setAside(path, "is no checkpoint");
    }
    return read;
  }

  private boolean putAsideUnlessFile(Path path) throws IOException {
    boolean strange = Files.exists(path, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(path);
    if (strange) {
      log.setAside(path, "is no file but a folder, or a link that leads nowhere");
    }
    return strange;
  }
}
