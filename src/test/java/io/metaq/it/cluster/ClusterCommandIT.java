package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.it.Await;
import io.metaq.it.MetaqJar;
import io.metaq.it.Queues;
import io.metaq.it.official.OfficialClients;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code metaq cluster} as a user starts it. */
class ClusterCommandIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  /** From the name server's port to the last of three brokers', and the one above. */
  private static final int[] PORTS_BESIDE = {1033, 1035, 1036, 1043, 1045, 1046};

  @TempDir
  private Path folder;

  private Process process;
  private List<ProcessHandle> nodes = List.of();

  @AfterEach
  void end() throws InterruptedException {
    nodes.forEach(ProcessHandle::destroyForcibly);
    if (process != null) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void shouldServeSynchronouslyTellOfADeathAndStopInOrder() throws Exception {
    int namesrv = start("--masters", "1", "--slaves", "1", "--sync");
    assertThat(out()).matches("(?s)MetaQ ready: name server 127\\.0\\.0\\.1:" + namesrv + ", broker-a master 127\\.0\\.0\\.1:"
        + (namesrv + 1035) + ", broker-a slave 1 127\\.0\\.0\\.1:" + (namesrv + 1045) + " \\(after \\d+\\.\\d\\d s\\)\\s*");
    assertThat(nodes).hasSize(3);
    String topic = Queues.freshName("cluster");
    try (OfficialClients clients = new OfficialClients("127.0.0.1:" + namesrv)) {
      Await.until("a message that two brokers have", LIMIT, () -> send(clients, topic) == SendStatus.SEND_OK);

      ProcessHandle slave = nodes.stream().filter(node -> commandOf(node).contains("brokerRole=SLAVE")).findFirst().orElseThrow();
      slave.destroyForcibly();

      Await.until("its death is told", LIMIT, () -> err().contains(
          "metaq: broker-a-slave-1 (process " + slave.pid() + ") ended with status 137, it is not started again"));
      Await.until("nobody confirms", LIMIT, () -> send(clients, topic) == SendStatus.SLAVE_NOT_AVAILABLE);
    }
    assertThat(err().lines().filter(line -> !line.startsWith("metaq: ")))
        .allMatch(line -> line.matches("(nameserver      |broker-a        |broker-a-slave-1) \\| .*"));

    process.destroy();

    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(nodes).noneMatch(ProcessHandle::isAlive);
    assertThat(err().indexOf("broker-a         | ", err().indexOf("EndOfProcess - stopping"))).isPositive();
  }

  @Test
  void shouldLeaveNoNodeBehindWhenItIsKilled() throws Exception {
    start();
    assertThat(nodes).hasSize(2);

    process.destroyForcibly();

    Await.until("every node has ended", LIMIT, () -> nodes.stream().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void shouldEndWithStatus1WhenANodeCannotStart() throws Exception {
    int namesrv = FreePorts.next(PORTS_BESIDE);
    try (ServerSocket taken = new ServerSocket(namesrv + 1035)) {
      launch(namesrv);

      assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(taken.isBound()).isTrue();
    }
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(out()).isEmpty();
    assertThat(err()).contains("broker-a   | metaq: the broker cannot listen on 127.0.0.1 port " + (namesrv + 1035))
        .contains("metaq: broker-a ended with status 1 before it was ready");
  }

  private int start(String... arguments) throws Exception {
    int namesrv = FreePorts.next(PORTS_BESIDE);
    launch(namesrv, arguments);
    Await.until("the line MetaQ ready, or the end of the process", LIMIT, () -> out().contains(" s)") || !process.isAlive());
    assertThat(process.isAlive()).as(err()).isTrue();
    nodes = process.children().toList();
    return namesrv;
  }

  private void launch(int namesrv, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(
        "cluster", "--data", folder.resolve("data").toString(), "--base-port", Integer.toString(namesrv)));
    command.addAll(List.of(arguments));
    process = new ProcessBuilder(MetaqJar.command(List.of("-Xmx64m"), command))
        .redirectOutput(folder.resolve("out").toFile()).redirectError(folder.resolve("err").toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  /** Null when the broker could not be reached. */
  private static SendStatus send(OfficialClients clients, String topic) throws Exception {
    try {
      return clients.producer().send(new Message(topic, "m".getBytes(UTF_8))).getSendStatus();
    } catch (MQClientException outOfReach) {
      return null;
    }
  }

  private static String commandOf(ProcessHandle node) {
    return String.join(" ", node.info().arguments().orElse(new String[0]));
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private String err() throws IOException {
    return Files.readString(folder.resolve("err"));
  }
}
