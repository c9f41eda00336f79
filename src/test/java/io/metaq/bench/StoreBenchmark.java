package io.metaq.bench;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.PendingRecords;
import io.metaq.model.QueueHandle;
import io.metaq.store.GetResult;
import io.metaq.store.MessageStore;
import io.metaq.store.StoreOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the store costs a record, in CPU time of one thread, for some sizes of batch; and what the two ways into a file cost a page. The
 * first row, a plain copy, is what everything is to be compared with.
 *
 * <pre>
 *   mvn -q test-compile dependency:build-classpath -Dmdep.outputFile=target/cp
 *   java -Xmx64m -cp target/test-classes:target/classes:$(cat target/cp) io.metaq.bench.StoreBenchmark
 * </pre>
 */
public final class StoreBenchmark {
  private static final int RECORDS = 1_000_000;
  private static final int PAGE = 4096;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private StoreBenchmark() {}

  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("metaq-store-benchmark");
    try {
      pages(folder.resolve("pages"));
      for (int batch : new int[] {64, 8, 1}) {
        store(folder.resolve("store" + batch), batch);
      }
    } finally {
      delete(folder);
    }
  }

  private static void pages(Path path) throws IOException {
    int size = 128 << 20;
    ByteBuffer block = ByteBuffer.allocateDirect(256 * 1024);
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(size);
      MappedByteBuffer mapping = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size);
      for (String way : new String[] {"write into a sparse file", "write into a prepared file"}) {
        long start = cpuNs();
        for (int at = 0; at < size; at += block.capacity()) {
          file.getChannel().write(block.clear(), at);
        }
        print(way, "page", cpuNs() - start, size / PAGE);
      }
      for (String way : new String[] {"first touch of a mapped page", "second touch of a mapped page"}) {
        long start = cpuNs();
        for (int at = 0; at < size; at += PAGE) {
          mapping.put(at, (byte) 1);
        }
        print(way, "page", cpuNs() - start, size / PAGE);
      }
    }
  }

  private static void store(Path root, int batch) {
    Records records = new Records(batch);
    long copy = 0;
    long append = 0;
    long prepare = 0;
    long dispatch = 0;
    ByteBuffer target = ByteBuffer.allocateDirect(records.bytes.capacity());
    try (MessageStore store = MessageStore.open(StoreOptions.of(root), Clock.system(), line -> { })) {
      for (int round = 0; round < RECORDS / batch; round++) {
        records.nextKeys();
        long start = cpuNs();
        target.put(0, records.bytes, 0, records.bytes.capacity());
        long copied = cpuNs();
        store.log().append(records);
        long appended = cpuNs();
        store.preparer().prepare();
        long prepared = cpuNs();
        store.dispatcher().dispatch(1 << 22, (topic, queueId, maxOffset) -> { });
        copy += copied - start;
        append += appended - copied;
        prepare += prepared - appended;
        dispatch += cpuNs() - prepared;
      }
      store.dispatcher().flushQueues();
      print("plain copy, batches of " + batch, "record", copy, RECORDS);
      print("append", "record", append, RECORDS);
      print("prepare", "record", prepare, RECORDS);
      print("dispatch with queue and index", "record", dispatch, RECORDS);
      read(store);
    }
  }

  private static void read(MessageStore store) {
    long start = cpuNs();
    long found = 0;
    for (int queueId = 0; queueId < Records.QUEUES; queueId++) {
      long at = 0;
      while (at < store.view().maxOffset(Records.TOPIC, queueId)) {
        GetResult result = store.view().get(Records.TOPIC, queueId, at, 32, 1 << 20, tagsCode -> true);
        found += result.count();
        at = result.nextOffset();
        result.release();
      }
    }
    print("get of 32", "record", cpuNs() - start, found);
  }

  private static void print(String what, String unit, long ns, long count) {
    System.out.printf("%-36s %8.3f us a %s%n", what, ns / 1000.0 / count, unit);
  }

  private static long cpuNs() {
    return THREADS.getCurrentThreadCpuTime();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Always the same batch of records over eight queues, with new unique keys for each round. */
  private static final class Records implements PendingRecords {
    static final String TOPIC = "BenchmarkTest";
    static final int QUEUES = 8;
    private static final String KEY = "7F00000100002A9F0000000000000000";

    private final QueueHandle[] queues;
    private final int size;
    private final int keyEnd;
    private final ByteBuffer bytes;
    private int keys;

    Records(int batch) {
      byte[] topic = TOPIC.getBytes(StandardCharsets.US_ASCII);
      byte[] properties = PropertiesText.encode(Map.of("UNIQ_KEY", KEY));
      RecordEncoder encoder = new RecordEncoder(new byte[8]).topic(topic, 0, topic.length)
          .properties(properties, 0, properties.length).body(ByteBuffer.allocate(128)).born(new byte[8], 0);
      queues = new QueueHandle[batch];
      size = encoder.message(0, 0, 0, 0, 0).size();
      keyEnd = size - 1;
      bytes = ByteBuffer.allocateDirect(batch * size);
      for (int i = 0; i < batch; i++) {
        queues[i] = new QueueHandle(TOPIC, i % QUEUES);
        encoder.message(i % QUEUES, 0, 0, 0, 0).writeTo(bytes, i * size);
      }
    }

    void nextKeys() {
      for (int i = 0; i < queues.length; i++) {
        int key = keys++;
        for (int digit = 1; digit <= 8; digit++) {
          bytes.put(i * size + keyEnd - digit, (byte) ('0' + (key & 15)));
          key >>>= 4;
        }
      }
    }

    @Override
    public int count() {
      return queues.length;
    }

    @Override
    public ByteBuffer bytes() {
      return bytes;
    }

    @Override
    public int start(int index) {
      return index * size;
    }

    @Override
    public int size(int index) {
      return size;
    }

    @Override
    public QueueHandle queue(int index) {
      return queues[index];
    }

    @Override
    public int unitEnd(int index) {
      return index + 1;
    }

    @Override
    public void stored(int index, long phyOffset, long queueOffset) {}

    @Override
    public void refused(int index, AppendStatus status, String detail) {
      throw new IllegalStateException(detail);
    }
  }
}
