package io.metaq.store;

import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.QueueEnd;
import io.metaq.store.Recovery.Recovered;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * An open store: its parts, wired together, each for the thread that owns it. It starts no thread; whoever opened it gives each part
 * one and calls {@link #close} when all of them are done.
 *
 * <p>Everything acknowledged under SYNC_FLUSH survives a power cut, everything acknowledged under ASYNC_FLUSH the end of the process.
 */
@OwnedBy("whoever opened it")
public final class MessageStore implements AutoCloseable {
  private static final int REPLAY_BYTES = 16 * 1024 * 1024;
  private static final long TELL_EVERY_BYTES = 1L << 30;
  /** How long queue files may be forced at the end. */
  private static final long CLOSE_LIMIT_NS = 2_000_000_000L;

  private final StoreOptions options;
  private final Clock clock;
  private final Disk files;
  private final StoreLock lock;
  private final Segments segments;
  private final ConsumeQueues queues;
  private final Optional<KeyIndex> index;
  private final WriteGate gate = new WriteGate();
  private final DiskSpace disk;
  private final CommitLog commitLog;
  private final LogCopy logCopy;
  private final Preparer preparer;
  private final Flusher flusher;
  private final Dispatcher dispatcher;
  private final Checkpointer checkpointer;
  private final Retention retention;
  private final StoreView view;
  private final RecoveryReport report;

  private MessageStore(StoreOptions options, Disk files, Clock clock, Forcer forcer, DiskSpace.Probe probe, StoreLock lock,
      Recovered recovered, ConcurrentMap<QueueKey, QueueEnd> ends) {
    this.options = options;
    this.clock = clock;
    this.files = files;
    this.lock = lock;
    this.report = recovered.report();
    this.segments = recovered.segments();
    this.queues = recovered.queueFiles().queues();
    queues.cleanedTo(segments.first());
    this.index = recovered.index();
    this.disk = new DiskSpace(probe, options.retention().marks());
    PreparedRange prepared = new PreparedRange(report.logEnd());
    Appender appender = new Appender(prepared);
    commitLog = new CommitLog(clock, segments, prepared, appender, disk, gate,
        new CommitLog.LogEnd(report.logEnd(), report.lastStoreTimestamp()), ends, options.maxRecordSize());
    logCopy = new LogCopy(commitLog, segments, appender);
    preparer = new Preparer(clock, segments, prepared, commitLog, disk, options.flushMode());
    flusher = new Flusher(commitLog, segments, forcer, gate);
    LongSupplier readable = options.flushMode() == FlushMode.SYNC_FLUSH ? flusher::flushedOffset : commitLog::appendedOffset;
    checkpointer = new Checkpointer(options, files, flusher, clock);
    dispatcher = new Dispatcher(segments, readable, queues, index, options.delayMs(), options.unitMemoryBytes(), checkpointer, clock,
        report.dispatchedFrom(), report.lastStoreTimestamp());
    retention = new Retention(options.retention(), files, clock, segments, queues, index, commitLog, flusher, dispatcher, disk);
    view = new StoreView(segments, queues, index, commitLog, readable, flusher::flushedOffset, dispatcher::dispatchedOffset,
        options.hotWindowBytes());
  }

  /**
   * Opens the store of a folder, made when it is new, and recovers it.
   *
   * @param progress hears a line now and then while recovery takes long
   * @throws StoreException when it cannot be opened; what recovery had mended by then stays so, and the next try goes on from there
   */
  public static MessageStore open(StoreOptions options, Clock clock, Consumer<String> progress) {
    return open(options, clock, progress, Disk.real());
  }

  /** As {@link #open(StoreOptions, Clock, Consumer)}, with another way to the disk: to see what would be left after a power cut. */
  public static MessageStore open(StoreOptions options, Clock clock, Consumer<String> progress, Disk files) {
    return open(options, clock, progress, files, Forcer.of(options.flushMode()),
        DiskSpace.Probe.of(options.root(), options.commitLog(), options.consumeQueues(), options.index()));
  }

  static MessageStore open(
      StoreOptions options, Clock clock, Consumer<String> progress, Disk files, Forcer forcer, DiskSpace.Probe probe) {
    Path root = options.root();
    try {
      files.makeFolder(root);
      StoreLock lock = StoreLock.take(root);
      try {
        checkFolder(options, lock);
        checkMarks(options, probe.look());
        Recovered recovered = new Recovery(options, files, clock, progress).run();
        try {
          ConcurrentMap<QueueKey, QueueEnd> ends = new ConcurrentHashMap<>();
          MessageStore store = new MessageStore(options, files, clock, forcer, probe, lock, recovered, ends);
          store.begin(recovered.noted(), recovered.queueFiles(), ends, progress);
          return store;
        } catch (IOException | RuntimeException | Error failure) {
          letGo(recovered.segments(), recovered.queueFiles().queues(), recovered.index());
          throw failure;
        }
      } catch (IOException | RuntimeException | Error failure) {
        lock.close();
        throw failure;
      }
    } catch (IOException failure) {
      throw new StoreException("the store folder " + root + " cannot be used: " + DiskFault.reasonOf(failure), failure);
    }
  }

  public CommitLog log() {
    return commitLog;
  }

  /** For a slave: appends what its master sends. */
  public LogCopy logCopy() {
    return logCopy;
  }

  public Preparer preparer() {
    return preparer;
  }

  public Flusher flusher() {
    return flusher;
  }

  public Dispatcher dispatcher() {
    return dispatcher;
  }

  public Checkpointer checkpointer() {
    return checkpointer;
  }

  public Retention retention() {
    return retention;
  }

  public DiskSpace disk() {
    return disk;
  }

  public StoreView view() {
    return view;
  }

  public RecoveryReport report() {
    return report;
  }

  /**
   * Ends in order: everything on the disk, the mark of an unclean exit gone, the lock free. No owner may be at work any more. The log is
   * always forced. When so many queues are dirty that forcing them takes too long, the mark stays and the next start derives them.
   */
  @Override
  public void close() {
    handOver();
    gate.shut("the broker is stopping");
    try {
      flusher.flush();
      dispatchAll(line -> { });
      if (index.isPresent()) {
        index.get().forceAll();
      }
      // First what was planned before, then the rest; when either fails, the next start recovers.
      long deadlineNs = clock.nanos() + CLOSE_LIMIT_NS;
      checkpointer.checkpointUntil(deadlineNs);
      boolean written = checkpointer.wantsPlan() && dispatcher.flushAndPlan();
      checkpointer.checkpointUntil(deadlineNs);
      if (written && checkpointer.wantsPlan() && !dispatcher.isBehind()) {
        files.delete(options.abortFile());
      }
    } catch (IOException failure) {
      throw new StoreException("the store cannot be closed in order: " + failure, failure);
    } finally {
      retention.close();
      letGo(segments, queues, index);
      unlock();
    }
  }

  /** Derives what is missing, gives the writer its counters, and writes down that a broker is at work. */
  private void begin(QueueEnds noted, QueueFiles queueFiles, Map<QueueKey, QueueEnd> ends, Consumer<String> progress)
      throws IOException {
    disk.measure();
    try {
      dispatchAll(progress);
    } catch (StoreException damaged) {
      throw new StoreException(damaged.getMessage() + ", and without it the queues and the index cannot be made again; put the file back, or"
          + " move " + options.consumeQueues().getFileName() + ", " + options.index().getFileName() + ", checkpoint and queueEnds.json with"
          + " its .bak out of " + options.root() + ": then the log ends there, and what lies behind is kept in the folder damaged", damaged);
    }
    if (dispatcher.isBehind()) {
      throw new StoreException("the queues and the index cannot be derived from the commit log, there is no room to write them in "
          + options.root() + ": " + (disk.usableBytes() >> 20) + " MB are free; make room and start again");
    }
    noted.queues().forEach((topic, byId) -> byId.forEach((queueId, range) -> {
      dispatcher.restoreEnd(topic, queueId, range.next());
      ends.put(new QueueKey(topic, queueId), new QueueEnd(range.next()));
    }));
    for (ConsumeQueue queue : queues.all()) {
      // More may be noted than the queue could be restored to on a full disk.
      QueueEnd known = ends.get(new QueueKey(queue.topic(), queue.queueId()));
      if (known == null || known.next() < queue.end()) {
        ends.put(new QueueKey(queue.topic(), queue.queueId()), new QueueEnd(queue.end()));
      }
    }
    queues.all().forEach(ConsumeQueue::beginCounting);
    // Durable: after a power cut, queues would be taken for written to their ends otherwise.
    // On a full disk it stays empty: that it is there is what counts, and a store that cannot be written to can be read.
    byte[] content = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
    DurableFile.write(files, options.abortFile(), disk.hasRoomFor(content.length) ? content : new byte[0]);
    preparer.prepare();
    dispatcher.flushAndPlan();
    queueFiles.clearUnderived();
    if (noted.queues().isEmpty() || noted.phyOffset() > report.logEnd()) {
      // There is no note, or one that says too much. Otherwise the old one holds until housekeeping has forced what is new.
      checkpointer.checkpoint();
    }
    handOver();
  }

  private void dispatchAll(Consumer<String> progress) {
    long from = dispatcher.dispatchedOffset();
    long told = from;
    while (dispatcher.dispatch(REPLAY_BYTES, (topic, queueId, maxOffset) -> { })) {
      if (dispatcher.dispatchedOffset() - told >= TELL_EVERY_BYTES) {
        told = dispatcher.dispatchedOffset();
        progress.accept("deriving queues and index: " + (told - from >> 20) + " MB done");
      }
    }
  }

  private static void letGo(Segments segments, ConsumeQueues queues, Optional<KeyIndex> index) {
    queues.openFiles().closeAll();
    index.ifPresent(KeyIndex::close);
    segments.close();
  }

  private void unlock() {
    try {
      lock.close();
    } catch (IOException failure) {
      throw new StoreException("the store's lock cannot be released: " + failure, failure);
    }
  }

  private void handOver() {
    commitLog.handOver();
    logCopy.handOver();
    preparer.handOver();
    flusher.handOver();
    dispatcher.handOver();
    checkpointer.handOver();
    retention.handOver();
  }

  /** Before anything is deleted because of them: with one digit too many, all messages but the newest would be. */
  private static void checkMarks(StoreOptions options, List<DiskSpace.Usage> disks) {
    for (DiskSpace.Usage disk : disks) {
      options.retention().marks().beyond(disk.total()).ifPresent(mark -> {
        throw new StoreException(mark + " can never be left free: the whole disk of " + disk.folder() + " has " + disk.total() + " bytes");
      });
    }
  }

  /** A mapping must see what is written through the channel: on some network file systems it does not. */
  private static void checkFolder(StoreOptions options, StoreLock lock) throws IOException {
    Path root = options.root();
    if (!lock.showsWritesInMappings()) {
      throw new StoreException("the file system of " + root + " does not show written bytes in mapped files (a network volume?);"
          + " the store needs a local one");
    }
    for (Path part : List.of(options.commitLog(), options.consumeQueues(), options.index(), options.queueEndsFile().getParent())) {
      if (Files.exists(part, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(part)) {
        throw new FileAlreadyExistsException(part.toString());
      }
    }
  }
}
