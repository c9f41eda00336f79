package io.metaq.it.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** kill -9 of a synchronous master under load, and its disk is lost: the slave has every acknowledged message. */
@Execution(ExecutionMode.CONCURRENT)
class LostMasterIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int TOPIC_NOT_EXIST = 17;
  private static final int GET_BROKER_RUNTIME_INFO = 28;
  private static final int LOG_FILE_BYTES = 4 << 20;
  private static final int MESSAGES = 3_000;

  @TempDir
  private Path folder;

  @Test
  void shouldLoseNothingThatASynchronousMasterAcknowledged() throws Exception {
    String topic = Queues.freshName("lost");
    Map<Integer, Map<Long, String>> acknowledged = new HashMap<>();
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start();
        BrokerProcess master = broker("master", namesrv).key("brokerRole", "SYNC_MASTER").key("slaveTimeout", 60_000).start();
        BrokerProcess slave = broker("slave", namesrv).key("brokerRole", "SLAVE").key("brokerId", 1).key("slaveReadEnable", true).start()) {
      Await.until("the slave follows", LIMIT, () -> runtimeInfo(master).contains("TRANSFER"));
      try (RawClient client = RawClient.connect(master.brokerPort())) {
        assertThat(client.call(Requests.send(topic, 0, "creates the topic")).code()).isZero();
      }

      KillIT.sendUntilKilled(master, topic, "sync", MESSAGES, acknowledged);

      // Nothing of the master is asked for again: its disk may be anywhere. The topic is younger than the slave's last look at its table.
      Await.until("the slave knows the topic", LIMIT, () -> knows(slave, topic));
      KillIT.assertAllThere(slave, topic, acknowledged);
      assertThat(slave.alive()).isTrue();
    }
  }

  private BrokerProcess.Launch broker(String name, BrokerProcess namesrv) {
    return BrokerProcess.broker(folder.resolve(name), namesrv.namesrv()).key("brokerName", "b").key("bindAddress", "127.0.0.1")
        .key("mappedFileSizeCommitLog", LOG_FILE_BYTES);
  }

  private static boolean knows(BrokerProcess broker, String topic) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      return client.call(Requests.pull(topic, 0, 0, 1, 0)).code() != TOPIC_NOT_EXIST;
    }
  }

  private static String runtimeInfo(BrokerProcess broker) throws Exception {
    try (RawClient client = RawClient.connect(broker.brokerPort())) {
      return new String(client.call(RawFrame.request(GET_BROKER_RUNTIME_INFO)).body(), UTF_8);
    }
  }
}
