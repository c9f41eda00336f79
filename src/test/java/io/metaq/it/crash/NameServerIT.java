package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Name servers that die, come back and move. */
@Execution(ExecutionMode.CONCURRENT)
class NameServerIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int TOPIC_LIST = 206;

  @TempDir
  private Path folder;

  @Test
  void shouldKnowEveryTopicAgainAfterOneRegistration() throws Exception {
    try (BrokerProcess first = BrokerProcess.nameserver().start(); BrokerProcess second = BrokerProcess.nameserver().start();
        BrokerProcess broker = BrokerProcess.broker(folder.resolve("broker"), first.namesrv() + ";" + second.namesrv()).start()) {
      List<String> topics = IntStream.range(0, 5).mapToObj(i -> Queues.freshName("topic")).toList();
      try (RawClient client = RawClient.connect(broker.brokerPort())) {
        for (String topic : topics) {
          assertThat(client.call(Requests.send(topic, 0, "m")).code()).isZero();
        }
      }
      Await.until("both know them", LIMIT, () -> knows(first.namesrvPort(), topics) && knows(second.namesrvPort(), topics));

      first.kill();
      assertThat(knows(second.namesrvPort(), topics)).isTrue();
      first.startAgain();

      Await.until("the one that was killed knows all of them", LIMIT, () -> knows(first.namesrvPort(), topics));
    }
  }

  @Test
  void shouldFindANameServerThatMovedToAnotherAddress() throws Exception {
    Path hosts = folder.resolve("hosts");
    int port = FreePorts.next();
    Files.writeString(hosts, "127.0.0.1 localhost\n127.0.0.1 names.test\n");
    try (BrokerProcess broker = BrokerProcess.broker(folder.resolve("broker"), "names.test:" + port).key("bindAddress", "127.0.0.1")
        .jvm("-Djdk.net.hosts.file=" + hosts).start()) {
      try (BrokerProcess before = nameServer("127.0.0.1", port).start()) {
        Await.until("the broker is known where the name says", LIMIT, () -> list("127.0.0.1", port).contains("TBW102"));
      }
      try (BrokerProcess moved = nameServer("127.0.0.2", port).start()) {
        Files.writeString(hosts, "127.0.0.1 localhost\n127.0.0.2 names.test\n");

        Await.until("the broker is known where the name says now", LIMIT, () -> list("127.0.0.2", port).contains("TBW102"));
      }
      assertThat(broker.alive()).isTrue();
    }
  }

  private static BrokerProcess.Launch nameServer(String address, int port) {
    return BrokerProcess.nameserver().argument("--port", Integer.toString(port)).key("bindAddress", address);
  }

  private static boolean knows(int port, List<String> topics) throws IOException {
    String list = list("127.0.0.1", port);
    return topics.stream().allMatch(topic -> list.contains("\"" + topic + "\""));
  }

  private static String list(String address, int port) throws IOException {
    try (RawClient client = RawClient.over(new Socket(address, port))) {
      return new String(client.call(RawFrame.request(TOPIC_LIST)).body(), StandardCharsets.UTF_8);
    }
  }
}
