package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.official.OfficialClients;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker of ours and one of Apache RocketMQ replicate from one another: the same bytes, the same queues. */
class ReplicationExchangeIT {
  private static final Duration LIMIT = Duration.ofSeconds(180);
  private static final int LOG_FILE = 256 * 1024;
  private static final int QUEUE_FILE = 20_000;
  private static final int GET_BROKER_RUNTIME_INFO = 28;
  private static final int MESSAGES = 300;
  private static final int BODY = 3_000;
  /** So many messages of it are more than a master holds for warm. */
  private static final int LONG_BODY = 80_000;
  private static final String TOPIC = "copied";

  @TempDir
  private Path folder;

  @Test
  void shouldSendItsLogToAnOfficialSlave() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        BrokerProcess master = ours("master", namesrv.namesrv()).start();
        OfficialServer slave = OfficialServer.broker(folder.resolve("slave"), namesrv.namesrv(), sizes() + "brokerRole=SLAVE\nbrokerId=1\n")) {
      // One that joins later gets the last file only.
      Await.until("the slave gets the log", LIMIT, () -> runtimeInfo(master).contains("TRANSFER"));
      send(namesrv.namesrv());

      awaitCopy(folder.resolve("master"), folder.resolve("slave/store"));
      assertThat(master.alive()).isTrue();
      assertThat(master.stop()).isZero();
    }
  }

  @Test
  void shouldSendFromItsFilesToAnOfficialSlaveThatIsFarBehind() throws Exception {
    String settings = sizes() + "brokerRole=SLAVE\nbrokerId=1\n";
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start(); BrokerProcess master = ours("master", namesrv.namesrv()).start()) {
      try (OfficialServer slave = OfficialServer.broker(folder.resolve("slave"), namesrv.namesrv(), settings)) {
        Await.until("the slave gets the log", LIMIT, () -> runtimeInfo(master).contains("TRANSFER"));
        send(namesrv.namesrv());
        awaitCopy(folder.resolve("master"), folder.resolve("slave/store"));
        slave.stop();
      }
      send(namesrv.namesrv(), MESSAGES, LONG_BODY);
      try (OfficialServer slave = OfficialServer.broker(folder.resolve("slave"), namesrv.namesrv(), settings)) {
        awaitCopy(folder.resolve("master"), folder.resolve("slave/store"));
      }
    }
  }

  @Test
  void shouldCopyTheWholeLogOfAnOfficialMaster() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        OfficialServer master = OfficialServer.broker(folder.resolve("master"), namesrv.namesrv(), sizes())) {
      send(namesrv.namesrv());
      try (BrokerProcess slave = ours("slave", namesrv.namesrv()).key("brokerRole", "SLAVE").key("brokerId", 1).start()) {
        awaitCopy(folder.resolve("master/store"), folder.resolve("slave"));
        assertThat(slave.stop()).isZero();
        send(namesrv.namesrv());

        // It compares its last record with the master's now.
        slave.startAgain();
        awaitCopy(folder.resolve("master/store"), folder.resolve("slave"));
        assertThat(slave.stop()).isZero();
      }
    }
  }

  @Test
  void shouldBeginWhereAnOfficialMastersLogBegins() throws Exception {
    Path masterStore = folder.resolve("master/store");
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start()) {
      try (OfficialServer master = OfficialServer.broker(folder.resolve("master"), namesrv.namesrv(), sizes())) {
        send(namesrv.namesrv());
        master.stop();
      }
      Files.delete(masterStore.resolve("commitlog/00000000000000000000"));
      try (OfficialServer master = OfficialServer.broker(folder.resolve("master"), namesrv.namesrv(), sizes());
          BrokerProcess slave = ours("slave", namesrv.namesrv()).key("brokerRole", "SLAVE").key("brokerId", 1).start()) {
        awaitLog(masterStore, folder.resolve("slave"));

        assertThat(files(folder.resolve("slave/commitlog")).get(0).getFileName()).hasToString("00000000000000" + LOG_FILE);
        assertThat(slave.standardError()).contains("is begun anew there");
        assertThat(slave.stop()).isZero();
      }
    }
  }

  private BrokerProcess.Launch ours(String name, String namesrv) {
    return BrokerProcess.broker(folder.resolve(name), namesrv)
        .key("brokerClusterName", "PeerCluster").key("brokerName", "peer-broker").key("brokerIP1", "127.0.0.1")
        .key("mappedFileSizeCommitLog", LOG_FILE).key("mappedFileSizeConsumeQueue", QUEUE_FILE);
  }

  private static String sizes() {
    return "mappedFileSizeCommitLog=" + LOG_FILE + "\nmappedFileSizeConsumeQueue=" + QUEUE_FILE + "\n";
  }

  private static String runtimeInfo(BrokerProcess broker) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      return new String(client.call(RawFrame.request(GET_BROKER_RUNTIME_INFO)).body(), UTF_8);
    }
  }

  private static void send(String namesrv) throws Exception {
    send(namesrv, MESSAGES, BODY);
  }

  private static void send(String namesrv, int messages, int bodyBytes) throws Exception {
    // An official broker listens some time before the name server knows it.
    Await.until("the master is known", LIMIT, () -> {
      try (RawClient client = RawClient.connect(Integer.parseInt(namesrv.substring(namesrv.lastIndexOf(':') + 1)))) {
        return client.call(Requests.route("TBW102")).code() == 0;
      }
    });
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      for (int i = 0; i < messages; i++) {
        Message message = new Message(TOPIC, "t" + i % 3, "k" + i, ("m" + i + "x".repeat(bodyBytes)).getBytes(UTF_8));
        assertThat(clients.producer().send(message).getSendStatus()).isEqualTo(SendStatus.SEND_OK);
      }
    }
  }

  private static void awaitCopy(Path master, Path slave) throws Exception {
    awaitLog(master, slave);
    Path queues = master.resolve("consumequeue").resolve(TOPIC);
    Await.until("the same units in all queues", LIMIT, () -> {
      // A queue has no file before its units are written, up to a second after the log.
      if (!Files.exists(queues)) {
        return false;
      }
      for (Path file : filesBelow(queues)) {
        Path copy = slave.resolve("consumequeue").resolve(TOPIC).resolve(queues.relativize(file));
        if (!Files.exists(copy) || !same(file, copy)) {
          return false;
        }
      }
      return true;
    });
  }

  private static void awaitLog(Path master, Path slave) throws Exception {
    Await.until("the same log", LIMIT, () -> {
      List<Path> files = files(master.resolve("commitlog"));
      assertThat(files).hasSizeGreaterThan(2);
      for (Path file : files) {
        Path copy = slave.resolve("commitlog").resolve(file.getFileName());
        if (!same(file, copy) && !(isUnused(file) && !Files.exists(copy))) {
          return false;
        }
      }
      return true;
    });
  }

  private static boolean same(Path file, Path copy) throws IOException {
    return Files.exists(copy) && Files.mismatch(file, copy) < 0;
  }

  /** Made ahead, with nothing in it yet. */
  private static boolean isUnused(Path file) throws IOException {
    byte[] head = new byte[16];
    try (FileChannel channel = FileChannel.open(file)) {
      channel.read(ByteBuffer.wrap(head));
    }
    return Arrays.equals(head, new byte[16]);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }
}
