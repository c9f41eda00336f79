package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A slave that takes far less than its master is sent. */
@Execution(ExecutionMode.CONCURRENT)
class SlowSlaveIT {
  private static final int OK = 0;
  private static final int SLAVE_NOT_AVAILABLE = 11;
  private static final int BODY_BYTES = 4_000;
  private static final int MESSAGES_EACH = 2_500;
  private static final int SLAVE_BYTES_PER_S = 50_000;
  /** What kernel and relay may hold on the way, and more. */
  private static final int ON_THE_WAY_BYTES = 16 << 20;
  private static final long MEMORY_SLACK_BYTES = 96 << 20;
  /** So that what grows is no garbage, of which a machine with much memory lets more lie about. */
  private static final String SMALL_HEAP = "-Xmx80m";

  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource({"ASYNC_MASTER, true, 0", "SYNC_MASTER, false, 11"})
  void shouldNeitherSlowSendersNorFillTheMaster(String role, boolean waiting, int answerWhileBehind) throws Exception {
    String topic = Queues.freshName("slow");
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master(role).jvm(SMALL_HEAP).key("haSlaveFallbehindMax", 1 << 20).start();
        BrokerProcess slave = pair.slave().start();
        RawClient client = RawClient.connect(master.brokerPort())) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      warmUp(master, topic, waiting);
      long memoryBefore = master.anonymousMemoryBytes();

      pair.log().limit(SLAVE_BYTES_PER_S);
      Load load = Load.start(Load.Options.HARD.bodyBytes(BODY_BYTES).most(MESSAGES_EACH).waiting(waiting),
          master.brokerPort(), topic, "slow", new Acknowledged());
      load.join();

      assertThat(load.answers()).containsExactly(Map.entry(OK, (long) Pair.QUEUES * MESSAGES_EACH));
      assertThat(Stores.logEnd(slave.brokerPort())).as("the slave is far behind when all is answered")
          .isLessThan(Stores.logEnd(master.brokerPort()) - ON_THE_WAY_BYTES);
      assertThat(master.anonymousMemoryBytes() - memoryBefore).isLessThan(MEMORY_SLACK_BYTES);
      assertThat(client.call(Requests.send(topic, 0, "asks")).code()).isEqualTo(answerWhileBehind);

      pair.heal();

      Stores.awaitSame(pair, slave, topic);
      assertThat(client.call(Requests.send(topic, 0, "asks again")).code()).isEqualTo(OK);
      assertThat(master.anonymousMemoryBytes() - memoryBefore).isLessThan(MEMORY_SLACK_BYTES);
    }
  }

  /** What a master under load needs is there before it is measured. */
  private static void warmUp(BrokerProcess master, String topic, boolean waiting) throws Exception {
    Load load = Load.start(Load.Options.HARD.bodyBytes(BODY_BYTES).most(500).waiting(waiting), master.brokerPort(), topic, "warm",
        new Acknowledged());
    load.join();
    assertThat(load.answers()).doesNotContainKey(SLAVE_NOT_AVAILABLE);
  }
}
