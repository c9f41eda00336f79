package io.metaq.store;

import io.metaq.codec.store.CheckpointLayout;
import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import io.metaq.codec.store.QueueEndsText;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.model.Clock;
import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes consume queues and index safe now and then, so that recovery need not read the whole log. The dispatcher leaves a plan of what
 * it has written; here the files are forced, away from its thread, and then it is written down what is safe: {@code
 * config/queueEnds.json} for us, {@code checkpoint} for Apache RocketMQ too.
 *
 * <p>A plan waits until the log itself is on the disk that far: a queue must never be known to hold what the log may lose. When a force
 * fails, nothing is written down any more: it may have lost pages that a second one would not miss, and recovery makes them again.
 */
@OwnedBy("the checkpoint thread of HousekeepingVerticle")
public final class Checkpointer {
  private static final Logger log = LoggerFactory.getLogger(Checkpointer.class);

  private static final int QUEUE_FOLDER_LEVELS = 3;
  /** More files than this are forced in slices, each so long: tens of thousands would keep a processor and the disk for many seconds. */
  private static final int MANY_FILES = OpenFiles.LIMIT;
  private static final long SLICE_NS = 500_000_000L;

  private final Confined confined = new Confined();
  private final Disk disk;
  private final Path checkpointFile;
  private final Path queueEndsFile;
  private final Flusher flusher;
  private final Clock clock;
  private final AtomicReference<Plan> pending = new AtomicReference<>();
  private boolean failing;
  private boolean pagesMayBeLost;
  /** Files of the pending plan that are forced already, and then folders of its files; null before all files are. */
  private int forced;
  private Queue<Path> foldersLeft;
  private volatile boolean hurried;

  Checkpointer(StoreOptions options, Disk disk, Flusher flusher, Clock clock) {
    this.disk = disk;
    this.checkpointFile = options.checkpointFile();
    this.queueEndsFile = options.queueEndsFile();
    this.flusher = flusher;
    this.clock = clock;
  }

  /** What the dispatcher had written at one moment; all of it is in files, not all on the disk. */
  record Plan(QueueEnds ends, long timestamp, List<UnitFile> files, KeyIndex.ForceTask index, long indexTimestamp) {}

  /** Whether the last plan is done with, so that another one may be offered. For the dispatcher. */
  boolean wantsPlan() {
    return pending.get() == null;
  }

  void offer(Plan plan) {
    pending.set(plan);
  }

  /** Carries the plan out that waits, if there is one and the log is flushed that far. */
  public void checkpoint() {
    carryOut(() -> hurried);
  }

  /** As {@link #checkpoint}, but of a plan with many files only as much as half a second takes, and the rest with later calls; each second. */
  public void checkpointSlice() {
    Plan plan = pending.get();
    long begunNs = clock.nanos();
    boolean many = plan != null && plan.files().size() > MANY_FILES;
    carryOut(() -> hurried || many && clock.nanos() - begunNs > SLICE_NS);
  }

  /** Lets a running checkpoint end at its next file, and later ones begin none: the end is near. Any thread. */
  public void hurry() {
    hurried = true;
  }

  /** As {@link #checkpoint}, but forces no file after {@code deadlineNs}; what is left unforced then is recovered at the next start. */
  void checkpointUntil(long deadlineNs) {
    carryOut(() -> clock.nanos() - deadlineNs > 0);
  }

  private void carryOut(BooleanSupplier timeIsUp) {
    assert confined.here();
    Plan plan = pending.get();
    if (plan == null || pagesMayBeLost || flusher.flushedOffset() < plan.ends().phyOffset()) {
      return;
    }
    try {
      if (!force(plan, timeIsUp)) {
        return;
      }
      DurableFile.replace(disk, queueEndsFile, QueueEndsText.encode(plan.ends()));
      writeCheckpoint(new Checkpoint(
          flusher.flushedTimestamp(), plan.timestamp(), plan.indexTimestamp(), plan.ends().phyOffset()));
      forced = 0;
      foldersLeft = null;
      pending.set(null);
      failing = false;
    } catch (IOException failure) {
      if (pagesMayBeLost) {
        log.error("a queue or index file cannot be forced; checkpoints end here and the next start derives the rest anew", failure);
      } else if (!failing) {
        failing = true;
        log.warn("a checkpoint cannot be written, recovery will take longer until it can path={}", queueEndsFile, failure);
      }
    }
  }

  void handOver() {
    assert confined.handOver();
  }

  /** Forces all that the plan needs; false when there was not enough time. */
  private boolean force(Plan plan, BooleanSupplier timeIsUp) throws IOException {
    while (forced < plan.files().size()) {
      if (timeIsUp.getAsBoolean()) {
        return false;
      }
      pagesMayBeLost = true;
      plan.files().get(forced).force(disk);
      pagesMayBeLost = false;
      forced++;
    }
    if (foldersLeft == null) {
      foldersLeft = foldersOf(plan);
    }
    while (!foldersLeft.isEmpty()) {
      if (timeIsUp.getAsBoolean()) {
        return false;
      }
      pagesMayBeLost = true;
      disk.forceNames(foldersLeft.element());
      pagesMayBeLost = false;
      foldersLeft.remove();
    }
    plan.files().forEach(file -> file.named(true));
    pagesMayBeLost = true;
    plan.index().run();
    pagesMayBeLost = false;
    return true;
  }

  /** Of each file whose name may not be on the disk: its queue's folder, its topic's, and the one of all queues, for each may be new. */
  private static Queue<Path> foldersOf(Plan plan) {
    Set<Path> folders = new LinkedHashSet<>();
    for (UnitFile file : plan.files()) {
      Path folder = file.path();
      for (int level = 0; level < QUEUE_FOLDER_LEVELS && !file.named(); level++) {
        folder = folder.getParent();
        folders.add(folder);
      }
    }
    return new ArrayDeque<>(folders);
  }

  private void writeCheckpoint(Checkpoint checkpoint) throws IOException {
    byte[] content = new byte[CheckpointLayout.FILE_SIZE];
    if (Files.exists(checkpointFile)) {
      byte[] old = Files.readAllBytes(checkpointFile);
      System.arraycopy(old, 0, content, 0, Math.min(old.length, content.length));
    }
    CheckpointLayout.encode(checkpoint, content);
    DurableFile.write(disk, checkpointFile, content);
  }
}
