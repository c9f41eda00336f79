package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** kill -9 of a slave while it copies, again and again. */
@Execution(ExecutionMode.CONCURRENT)
class SlaveKillIT {
  private static final int ROUNDS = 5;
  private static final int COPIED_BYTES = 300_000;

  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"ASYNC_FLUSH", "SYNC_FLUSH"})
  void shouldEndWithTheSameStoreWhateverItWasDoingWhenItWasKilled(String flushMode) throws Exception {
    String topic = Queues.freshName("killed");
    Acknowledged acknowledged = new Acknowledged();
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("ASYNC_MASTER").start();
        BrokerProcess slave = pair.slave().key("flushDiskType", flushMode).start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      Load load = Load.start(Load.Options.STEADY, master.brokerPort(), topic, "steady", acknowledged);
      for (int round = 0; round < ROUNDS; round++) {
        long before = Stores.logEnd(slave.brokerPort());
        Await.until("the slave has copied more", Pair.LIMIT, () -> Stores.logEnd(slave.brokerPort()) >= before + COPIED_BYTES);

        slave.kill();
        slave.startAgain();
      }
      load.stop();

      assertThat(load.answers()).containsOnlyKeys(0);
      Stores.awaitSame(pair, slave, topic);
      acknowledged.assertAllAt(slave.brokerPort(), topic);
      Stores.assertSound(pair.masterFolder());
      Stores.assertSound(pair.slaveFolder());
      assertThat(slave.stop()).isZero();
      Stores.assertSound(pair.slaveFolder());
    }
  }
}
