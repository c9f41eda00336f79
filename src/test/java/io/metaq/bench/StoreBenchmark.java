package io.metaq.bench;

import io.metaq.model.Clock;
import io.metaq.store.GetResult;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * What the store costs a record of 290 bytes, on one thread: the append with the log prepared ahead, the dispatch of what was appended
 * into queues and key index, and reads of 32 messages that a queue's units name; beside a copy of the same bytes. Each iteration has a
 * store of its own, of {@value #RECORDS} records, so that the log does not fill the disk.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx256m")
@Warmup(iterations = 20)
@Measurement(iterations = 20)
public class StoreBenchmark {
  private static final int RECORDS = 1 << 17;
  private static final int ROUND_BYTES = 1 << 22;

  @Param({"1", "8", "64"})
  int batch;

  private BenchRecords records;
  private ByteBuffer target;
  private Path folder;
  private MessageStore store;

  /** A store with everything appended, and one with everything dispatched too, each for the benchmarks that begin there. */
  @Setup(Level.Iteration)
  public void open(BenchmarkParams params) throws IOException {
    records = new BenchRecords(batch);
    target = ByteBuffer.allocateDirect(records.bytes().capacity());
    folder = Files.createTempDirectory("metaq-benchmark");
    store = MessageStore.open(StoreOptions.of(folder), Clock.system(), line -> { });
    String benchmark = params.getBenchmark();
    if (benchmark.endsWith(".dispatch") || benchmark.endsWith(".getOf32")) {
      append();
    }
    if (benchmark.endsWith(".getOf32")) {
      dispatch();
      store.dispatcher().flushQueues();
    }
  }

  @TearDown(Level.Iteration)
  public void delete() throws IOException {
    store.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public ByteBuffer plainCopy() {
    for (int i = 0; i < RECORDS; i += batch) {
      records.nextKeys();
      target.put(0, records.bytes(), 0, target.capacity());
    }
    return target;
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long append() {
    for (int i = 0; i < RECORDS; i += batch) {
      records.nextKeys();
      store.log().append(records);
      if (store.log().preparationWanted()) {
        store.preparer().prepare();
      }
    }
    return store.log().appendedOffset();
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public boolean dispatch() {
    boolean more = true;
    while (more) {
      more = store.dispatcher().dispatch(ROUND_BYTES, (topic, queueId, maxOffset) -> { });
    }
    return more;
  }

  @Benchmark
  @OperationsPerInvocation(RECORDS)
  public long getOf32() {
    long found = 0;
    for (int queueId = 0; queueId < BenchRecords.QUEUES; queueId++) {
      long at = 0;
      while (at < store.view().maxOffset(BenchRecords.TOPIC, queueId)) {
        GetResult result = store.view().get(BenchRecords.TOPIC, queueId, at, 32, 1 << 20, tagsCode -> true);
        found += result.count();
        at = result.nextOffset();
        result.release();
      }
    }
    return found;
  }
}
