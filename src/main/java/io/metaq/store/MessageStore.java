package io.metaq.store;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.QueueEnd;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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

  private final StoreOptions options;
  private final StoreLock lock;
  private final Segments segments;
  private final ConsumeQueues queues;
  private final WriteGate gate = new WriteGate();
  private final DiskSpace disk;
  private final CommitLog commitLog;
  private final Preparer preparer;
  private final Flusher flusher;
  private final Dispatcher dispatcher;
  private final StoreView view;
  private final RecoveryReport report;

  private MessageStore(StoreOptions options, Clock clock, Forcer forcer, DiskSpace.Probe probe, StoreLock lock, Recovered recovered) {
    this.options = options;
    this.lock = lock;
    this.report = recovered.report();
    this.segments = recovered.segments();
    this.queues = recovered.queues();
    this.disk = new DiskSpace(options.root().toString(), probe, options.retention().fullPercent());
    PreparedRange prepared = new PreparedRange(report.logEnd());
    Map<QueueKey, QueueEnd> ends = new HashMap<>();
    commitLog = new CommitLog(clock, segments, prepared, new Appender(prepared, options.flushMode()), disk, gate,
        new CommitLog.LogEnd(report.logEnd(), report.lastStoreTimestamp()), ends, options.maxRecordSize());
    preparer = new Preparer(clock, segments, prepared, options.flushMode());
    preparer.follow(commitLog);
    flusher = new Flusher(commitLog, segments, forcer, gate);
    LongSupplier readable = options.flushMode() == FlushMode.SYNC_FLUSH ? flusher::flushedOffset : commitLog::appendedOffset;
    dispatcher = new Dispatcher(segments, readable, queues, options.delayMs(), report.dispatchedFrom());
    view = new StoreView(segments, queues, commitLog, flusher, dispatcher, readable, options.hotWindowBytes());
    replay(ends);
  }

  /**
   * Opens the store of a folder, made when it is new, and recovers it.
   *
   * @param progress hears a line now and then while recovery takes long
   * @throws StoreException when it cannot be opened; the folder is as it was
   */
  public static MessageStore open(StoreOptions options, Clock clock, Consumer<String> progress) {
    return open(options, clock, progress, Forcer.of(options.flushMode()), DiskSpace.Probe.of(options.root().toFile()));
  }

  static MessageStore open(
      StoreOptions options, Clock clock, Consumer<String> progress, Forcer forcer, DiskSpace.Probe probe) {
    Path root = options.root();
    try {
      Files.createDirectories(root);
      StoreLock lock = StoreLock.take(root);
      try {
        checkFolder(root);
        Recovered recovered = new Recovery(options, progress).run();
        MessageStore store = new MessageStore(options, clock, forcer, probe, lock, recovered);
        Files.writeString(root.resolve("abort"), Long.toString(ProcessHandle.current().pid()));
        store.preparer.prepare();
        store.handOver();
        return store;
      } catch (IOException | RuntimeException failure) {
        lock.close();
        throw failure;
      }
    } catch (IOException failure) {
      throw new StoreException("the store folder " + root + " cannot be used: " + failure, failure);
    }
  }

  public CommitLog log() {
    return commitLog;
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

  public DiskSpace disk() {
    return disk;
  }

  public StoreView view() {
    return view;
  }

  public RecoveryReport report() {
    return report;
  }

  /** Ends in order: everything on the disk, the mark of an unclean exit gone, the lock free. No owner may be at work any more. */
  @Override
  public void close() {
    handOver();
    gate.shut("the broker is stopping");
    try {
      flusher.flush();
      while (dispatcher.dispatch(REPLAY_BYTES, (topic, queueId, maxOffset) -> { })) {
        // Goes on until the end of the log.
      }
      dispatcher.flushQueues();
      if (!dispatcher.isBehind()) {
        Files.deleteIfExists(options.root().resolve("abort"));
      }
    } catch (IOException failure) {
      throw new StoreException("the store cannot be closed in order: " + failure, failure);
    } finally {
      end();
    }
  }

  private void end() {
    queues.openFiles().closeAll();
    segments.close();
    try {
      lock.close();
    } catch (IOException failure) {
      throw new StoreException("the store's lock cannot be released: " + failure, failure);
    }
  }

  private void replay(Map<QueueKey, QueueEnd> ends) {
    while (dispatcher.dispatch(REPLAY_BYTES, (topic, queueId, maxOffset) -> { })) {
      // Goes on until the end of the log.
    }
    for (ConsumeQueue queue : queues.all()) {
      ends.put(new QueueKey(queue.topic(), queue.queueId()), new QueueEnd(queue.end()));
    }
  }

  private void handOver() {
    preparer.follow(commitLog);
    flusher.handOver();
    dispatcher.handOver();
  }

  /** A mapping must see what is written through the channel: on some network file systems it does not. */
  private static void checkFolder(Path root) throws IOException {
    Path path = root.resolve("mapping-check");
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(4096);
      Mapping mapping = Mapping.of(file.getChannel(), 4096);
      try {
        file.getChannel().write(ByteBuffer.wrap(new byte[] {42}), 1000);
        if (mapping.bytes().get(1000) != 42) {
          throw new StoreException("the file system of " + root + " does not show written bytes in mapped files (a network volume?);"
              + " the store needs a local one");
        }
      } finally {
        mapping.unmap();
      }
    } finally {
      Files.deleteIfExists(path);
    }
  }
}
