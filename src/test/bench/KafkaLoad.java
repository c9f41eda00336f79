import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.HdrHistogram.Recorder;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Loads an Apache Kafka broker with its own client and prints the figures that mqload prints of the others:
 *
 * <pre>
 *   send|pull -b HOST:PORT -t TOPIC [-s body bytes] [-n messages] [-W warm-up] [-l linger ms] [-w in flight] [-r messages/s] [-P server pid]
 * </pre>
 *
 * A send is acknowledged by the leader. Without -w the client's own bound holds, 32 MiB of memory; with -r a message counts from when it
 * was due.
 */
public final class KafkaLoad {
  private static final int QUEUES = 4;

  private final Map<String, String> options = new HashMap<>();
  private final Recorder latencies = new Recorder(3_600_000_000_000L, 3);
  private final LongAdder bad = new LongAdder();

  public static void main(String[] args) throws Exception {
    KafkaLoad load = new KafkaLoad();
    for (int i = 1; i + 1 < args.length; i += 2) {
      load.options.put(args[i], args[i + 1]);
    }
    if (args[0].equals("pull")) {
      load.pull();
    } else {
      load.send();
    }
  }

  private void send() throws Exception {
    long count = number("-n", 200_000);
    long warm = number("-W", 20_000);
    byte[] body = new byte[(int) number("-s", 128)];
    double rate = number("-r", 0);
    Semaphore room = new Semaphore((int) number("-w", Integer.MAX_VALUE));
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", options.get("-b"), "acks", "1", "linger.ms", options.getOrDefault("-l", "0"),
        "key.serializer", ByteArraySerializer.class, "value.serializer", ByteArraySerializer.class);
    try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings)) {
      producer.partitionsFor(options.get("-t"));
      run(producer, body, warm, rate, room, false);
      producer.flush();
      latencies.reset();
      double cpu = cpuSeconds();
      long begin = System.nanoTime();
      run(producer, body, count, rate, room, true);
      producer.flush();
      print("send", count, (System.nanoTime() - begin) / 1e9, cpuSeconds() - cpu);
    }
  }

  private void run(KafkaProducer<byte[], byte[]> producer, byte[] body, long count, double rate, Semaphore room, boolean counted)
      throws InterruptedException {
    long begin = System.nanoTime();
    for (long i = 0; i < count; i++) {
      long due = rate > 0 ? begin + (long) (i * 1e9 / rate) : 0;
      while (rate > 0 && due - System.nanoTime() > 0) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      room.acquire();
      long start = rate > 0 ? due : System.nanoTime();
      producer.send(new ProducerRecord<>(options.get("-t"), (int) (i % QUEUES), null, body), (stored, failure) -> {
        room.release();
        latencies.recordValue(Math.max(0, System.nanoTime() - start));
        if (failure != null && counted) {
          bad.increment();
        }
      });
    }
  }

  private void pull() throws Exception {
    long count = number("-n", 200_000);
    Map<String, Object> settings = Map.of(
        "bootstrap.servers", options.get("-b"), "max.poll.records", "32", "enable.auto.commit", "false",
        "key.deserializer", ByteArrayDeserializer.class, "value.deserializer", ByteArrayDeserializer.class);
    try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
      List<TopicPartition> queues = IntStream.range(0, QUEUES).mapToObj(queue -> new TopicPartition(options.get("-t"), queue)).toList();
      consumer.assign(queues);
      consumer.seekToBeginning(queues);
      double cpu = cpuSeconds();
      long begin = System.nanoTime();
      long read = 0;
      while (read < count) {
        long start = System.nanoTime();
        int found = consumer.poll(Duration.ofSeconds(1)).count();
        latencies.recordValue(System.nanoTime() - start);
        read += found;
      }
      print("pull", read, (System.nanoTime() - begin) / 1e9, cpuSeconds() - cpu);
    }
  }

  private void print(String mode, long count, double seconds, double serverSeconds) {
    Histogram all = latencies.getIntervalHistogram();
    System.out.printf(Locale.ROOT,
        "mode=%s msgs=%d secs=%.3f rate=%.0f p50us=%.0f p99us=%.0f p999us=%.0f maxus=%.0f bad=%d server_cpu_us_per_msg=%.2f%n",
        mode, count, seconds, count / seconds, us(all, 50), us(all, 99), us(all, 99.9), all.getMaxValue() / 1000.0, bad.sum(),
        serverSeconds * 1e6 / count);
  }

  private static double us(Histogram all, double percentile) {
    return all.getValueAtPercentile(percentile) / 1000.0;
  }

  /** Processor time of the server so far. */
  private double cpuSeconds() throws Exception {
    if (!options.containsKey("-P")) {
      return 0;
    }
    String stat = Files.readString(Path.of("/proc", options.get("-P"), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / 100.0;
  }

  private long number(String name, long fallback) {
    return options.containsKey(name) ? Long.parseLong(options.get(name)) : fallback;
  }
}
