package io.metaq.cli;

import io.metaq.bus.LocalBus;
import io.metaq.bus.Nudge;
import io.metaq.model.Clock;
import io.metaq.store.DiskMarks;
import io.metaq.store.FlushMode;
import io.metaq.store.MessageStore;
import io.metaq.store.RetentionOptions;
import io.metaq.store.StoreOptions;
import io.metaq.store.service.DispatchVerticle;
import io.metaq.store.service.FlushOptions;
import io.metaq.store.service.FlushVerticle;
import io.metaq.store.service.HousekeepingVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Appends to a store for a time. Its parts run in the verticles and on the threads of a broker, with a broker's default settings;
 * only the writer is the bench's own. The oldest files are deleted all along, so that the run needs little space and meets
 * retention too.
 */
final class AppendRun {
  private static final long KEPT_BYTES = 4L << 30;
  private static final long LOOK_NS = 100_000_000;
  private static final long LIMIT_S = 60;
  private static final int DIGITS = 3;

  private final Path folder;
  private final FlushMode flush;
  private final BenchRecords records;
  private final double rate;
  private final Clock clock;

  /** @param rate messages a second; 0 for as fast as all parts keep up */
  AppendRun(Path folder, FlushMode flush, BenchRecords records, double rate, Clock clock) {
    this.folder = folder;
    this.flush = flush;
    this.records = records;
    this.rate = rate;
    this.clock = clock;
  }

  /**
   * What was measured.
   *
   * @param appends each append of a batch, in ns
   * @param fromDue the same from when it was due
   */
  record Result(long messages, double seconds, Histogram appends, Histogram fromDue) {}

  /**
   * Runs.
   *
   * @param interrupted ends the run early when true
   * @throws CommandFailure when the store refused an append, or a part of it failed
   */
  Result measure(long durationNs, BooleanSupplier interrupted, Consumer<String> progress) {
    Vertx vertx = Vertx.vertx();
    LocalBus.install(vertx);
    RetentionOptions keepLittle = new RetentionOptions(Long.MAX_VALUE, Set.of(), KEPT_BYTES, true, DiskMarks.DEFAULT);
    StoreOptions options = StoreOptions.of(folder).withFlushMode(flush).withRetention(keepLittle);
    try (MessageStore store = MessageStore.open(options, clock, line -> { })) {
      return measure(vertx, store, durationNs, interrupted, progress);
    } finally {
      await(vertx.close());
    }
  }

  private Result measure(
      Vertx vertx, MessageStore store, long durationNs, BooleanSupplier interrupted, Consumer<String> progress) {
    AtomicReference<Throwable> failed = new AtomicReference<>();
    boolean syncFlush = flush == FlushMode.SYNC_FLUSH;
    FlushOptions flushOptions = new FlushOptions(syncFlush, 500, 4, 10_000, 0, 0);
    Nudge dispatch = new Nudge();
    Nudge prepare = new Nudge();
    Recorder appends = new Recorder(DIGITS);
    Recorder fromDue = new Recorder(DIGITS);
    AppendBenchVerticle writer = new AppendBenchVerticle(
        store, records, rate, syncFlush, clock, appends, fromDue, dispatch, prepare);
    List<String> deployed = new ArrayList<>();
    try {
      deployed.add(deploy(vertx, "metaq-housekeeping", 1,
          new HousekeepingVerticle(store.preparer(), store.disk(), store.checkpointer(), store.retention())));
      deployed.add(deploy(vertx, "metaq-log", 2,
          new FlushVerticle(store.flusher(), flushOptions, clock, dispatch, new Nudge(), failed::set)));
      deployed.add(deploy(vertx, "metaq-dispatch", 1,
          new DispatchVerticle(store.dispatcher(), store.view(), clock, dispatch, 1, 1000, failed::set)));
      long beginNs = clock.nanos();
      deployed.add(deploy(vertx, "metaq-log", 2, writer));
      while (clock.nanos() - beginNs < durationNs && !interrupted.getAsBoolean() && failed.get() == null && writer.refusal() == null) {
        LockSupport.parkNanos(LOOK_NS);
        double seconds = (clock.nanos() - beginNs) / 1e9;
        progress.accept(String.format("%5.1f s  %,d messages appended, %,.0f/s", seconds, writer.messages(), writer.messages() / seconds));
      }
      await(vertx.undeploy(deployed.remove(deployed.size() - 1)));
      double seconds = (clock.nanos() - beginNs) / 1e9;
      return new Result(writer.messages(), seconds, appends.getIntervalHistogram(), fromDue.getIntervalHistogram());
    } finally {
      Collections.reverse(deployed);
      deployed.forEach(id -> await(vertx.undeploy(id)));
      if (writer.refusal() != null) {
        throw new CommandFailure("the store refused an append: " + writer.refusal());
      }
      if (failed.get() != null) {
        throw new CommandFailure("a part of the store failed: " + failed.get().getMessage());
      }
    }
  }

  private static String deploy(Vertx vertx, String pool, int threads, VerticleBase verticle) {
    return await(vertx.deployVerticle(verticle,
        new DeploymentOptions().setThreadingModel(ThreadingModel.WORKER).setWorkerPoolName(pool).setWorkerPoolSize(threads)));
  }

  private static <T> T await(Future<T> future) {
    try {
      return future.toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("the run was interrupted");
    } catch (ExecutionException failure) {
      throw new CommandFailure("a part of the store failed: " + failure.getCause());
    } catch (TimeoutException late) {
      throw new CommandFailure("a part of the store did not end within " + LIMIT_S + " s");
    }
  }
}
