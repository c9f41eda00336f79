package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Progress;
import io.metaq.it.Queues;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 of a master under load, with and without the loss of its disk. */
@Execution(ExecutionMode.CONCURRENT)
class MasterKillIT {
  private static final int MESSAGES = 5_000;
  private static final int ROUNDS = 3;

  @TempDir
  private Path folder;

  @Test
  void shouldFindAtTheSlaveWhateverASynchronousMasterAcknowledged() throws Exception {
    String topic = Queues.freshName("lost");
    Acknowledged acknowledged = new Acknowledged();
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("SYNC_MASTER").key("slaveTimeout", 60_000).start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);

      killUnderLoad(pair, master, topic, "sync", acknowledged);
      slave.kill();

      try (BrokerProcess successor = pair.slaveAsMaster().start()) {
        acknowledged.assertAllAt(successor.brokerPort(), topic);
        Load after = Load.start(Load.Options.HARD.most(50), successor.brokerPort(), topic, "after", acknowledged);
        after.join();
        assertThat(after.answers()).containsOnlyKeys(0);
        acknowledged.assertAllAt(successor.brokerPort(), topic);
      }
    }
  }

  @Test
  void shouldLoseOnlyWhatWasNotCopiedYetWithTheDiskOfAnAsynchronousMaster() throws Exception {
    String topic = Queues.freshName("lost");
    Acknowledged acknowledged = new Acknowledged();
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("ASYNC_MASTER").start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      Progress copied = new Progress(slave.brokerPort(), topic, Pair.QUEUES);

      killUnderLoad(pair, master, topic, "async", acknowledged);
      long copiedAtLast = copied.messages();
      slave.kill();

      try (BrokerProcess successor = pair.slaveAsMaster().start()) {
        long lost = acknowledged.assertNoneButTheLastMissingAt(successor.brokerPort(), topic);
        System.out.printf("ASYNC_MASTER killed under load, its disk lost: %d acknowledged, %d of them lost%n",
            acknowledged.count(), lost);
        assertThat(new Progress(successor.brokerPort(), topic, Pair.QUEUES).messages()).isGreaterThanOrEqualTo(copiedAtLast);
        assertThat(lost).isLessThan(acknowledged.count());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"ASYNC_MASTER", "SYNC_MASTER"})
  void shouldGoOnWithTheSlaveAfterAMasterCameBack(String role) throws Exception {
    String topic = Queues.freshName("back");
    Acknowledged acknowledged = new Acknowledged();
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master(role).key("slaveTimeout", 60_000).start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      for (int round = 0; round < ROUNDS; round++) {
        killUnderLoad(pair, master, topic, "round" + round, acknowledged);

        master.startAgain();

        acknowledged.assertAllAt(master.brokerPort(), topic);
        pair.awaitFollowed();
        Stores.awaitSame(pair, slave, topic);
      }
      acknowledged.assertAllAt(slave.brokerPort(), topic);
    }
  }

  private static void killUnderLoad(Pair pair, BrokerProcess master, String topic, String label, Acknowledged acknowledged)
      throws Exception {
    int before = acknowledged.count();
    Load load = Load.start(Load.Options.HARD, pair.masterPort(), topic, label, acknowledged);
    Await.until("so many messages are acknowledged", Pair.LIMIT, () -> acknowledged.count() - before >= MESSAGES);
    master.kill();
    load.join();
  }
}
