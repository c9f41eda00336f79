package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Json;
import io.metaq.it.MetaqJar;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The stores of a master and of its slave, by their files and by what the brokers say of them. */
final class Stores {
  private static final int GET_ALL_TOPIC_CONFIG = 21;
  private static final int GET_BROKER_RUNTIME_INFO = 28;
  private static final int UNIT_BYTES = 20;

  private Stores() {
  }

  /** Waits until the slave has all that its master has, every byte of log and queues. */
  static void awaitSame(Pair pair, BrokerProcess slave, String topic) throws Exception {
    Await.until("the slave has all", Pair.LIMIT, () -> logEnd(slave.brokerPort()) == logEnd(pair.masterPort()));
    assertThat(firstDifference(pair, "commitlog", logEnd(pair.masterPort()))).as("the log").isEmpty();
    for (int queueId = 0; queueId < Pair.QUEUES; queueId++) {
      int queue = queueId;
      // Read anew each time: the master too serves what it has stored a moment later.
      Await.until("both serve the queue", Pair.LIMIT,
          () -> units(slave.brokerPort(), topic, queue) == units(pair.masterPort(), topic, queue));
      long units = units(pair.masterPort(), topic, queue);
      String path = "consumequeue/" + topic + "/" + queue;
      // Units are served before they are in the file.
      Await.until("the files of queue " + queue + " hold the same", Pair.LIMIT,
          () -> firstDifference(pair, path, units * UNIT_BYTES).isEmpty());
    }
  }

  /**
   * Compares files that are named by the position of their first byte.
   *
   * @return where those of master and slave differ first, below {@code end}
   */
  private static Optional<String> firstDifference(Pair pair, String path, long end) throws IOException {
    long compared = 0;
    for (Path file : files(pair.masterFolder().resolve(path))) {
      long start = Long.parseLong(file.getFileName().toString());
      if (start < end) {
        byte[] bytes = Files.readAllBytes(file);
        Path copied = pair.slaveFolder().resolve(path).resolve(file.getFileName());
        if (!Files.exists(copied)) {
          return Optional.of(path + " at " + start);
        }
        byte[] copy = Files.readAllBytes(copied);
        int length = (int) Math.min(bytes.length, end - start);
        int differs = Arrays.mismatch(bytes, 0, length, copy, 0, length);
        if (differs >= 0) {
          return Optional.of(path + " at " + (start + differs));
        }
        compared += length;
      }
    }
    return compared == end ? Optional.empty() : Optional.of(path + " of the master has only " + compared + " bytes");
  }

  /** Runs {@code metaq verify} over a store, which may be in use. */
  static void assertSound(Path store) throws Exception {
    Process verify = new ProcessBuilder(MetaqJar.command("verify", "--data", store.toString(),
        "-D", "mappedFileSizeCommitLog=" + Pair.LOG_FILE_BYTES, "-D", "mappedFileSizeConsumeQueue=" + Pair.QUEUE_FILE_BYTES))
        .redirectErrorStream(true).redirectOutput(store.resolveSibling(store.getFileName() + ".verify").toFile()).start();
    assertThat(verify.waitFor(Pair.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(verify.exitValue()).as(Files.readString(store.resolveSibling(store.getFileName() + ".verify"))).isZero();
  }

  /** Position behind the last byte of a broker's log; -1 while it does not answer. */
  static long logEnd(int brokerPort) throws IOException {
    return Long.parseLong(runtimeInfo(brokerPort).getOrDefault("commitLogMaxOffset", "-1"));
  }

  /** What a broker says of its slaves, or of its master. */
  static List<String> replication(int brokerPort) throws IOException {
    return runtimeInfo(brokerPort).entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("replication.")).map(Map.Entry::getValue).toList();
  }

  /** The topics of a broker, as JSON. */
  static String tables(int brokerPort) throws IOException {
    return new String(call(brokerPort, RawFrame.request(GET_ALL_TOPIC_CONFIG)).body(), UTF_8);
  }

  private static long units(int brokerPort, String topic, int queueId) throws IOException {
    return call(brokerPort, Requests.maxOffset(topic, queueId)).number("offset");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> runtimeInfo(int brokerPort) throws IOException {
    try {
      RawFrame answer = call(brokerPort, RawFrame.request(GET_BROKER_RUNTIME_INFO));
      return (Map<String, String>) Json.object(new String(answer.body(), UTF_8)).get("table");
    } catch (ConnectException notThere) {
      return Map.of();
    }
  }

  private static RawFrame call(int port, RawFrame request) throws IOException {
    try (RawClient client = RawClient.connect(port)) {
      return client.call(request);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of(); // a queue without messages
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
