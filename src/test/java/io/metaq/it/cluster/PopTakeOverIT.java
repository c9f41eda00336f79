package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Pops;
import io.metaq.it.Pops.Popped;
import io.metaq.it.Progress;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A master gives messages to pops in its last moments, and its slave still follows its tables, but not its log any more. The store of
 * the slave goes on as the master: what was popped and not acknowledged comes again.
 */
@Execution(ExecutionMode.CONCURRENT)
class PopTakeOverIT {
  private static final int MESSAGES = 20;
  private static final long INVISIBLE_MS = 600_000;

  @TempDir
  private Path folder;
  private final String topic = Queues.freshName("popped-over");
  private final String group = Queues.freshName("workers");

  @Test
  void shouldGiveOutAgainWhatWasPoppedWhenTheLogWasNotCopiedAnyMore() throws Exception {
    List<String> sent;
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("ASYNC_MASTER").start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      try (RawClient client = RawClient.connect(master.brokerPort())) {
        for (int i = 0; i < MESSAGES; i++) {
          client.call(Requests.send(topic, 0, "m" + i));
        }
        Stores.awaitSame(pair, slave, topic);
        sent = Queues.readAll(client, topic, 0).stream().map(StoredRecord::text).toList();
        pair.log().silence(EnumSet.allOf(Relay.Way.class));

        Progress progress = new Progress(master.brokerPort(), topic, Pair.QUEUES);
        List<Popped> popped = Pops.popNow(client, group, topic, INVISIBLE_MS);
        assertThat(popped).extracting(Popped::text).containsExactlyElementsOf(sent);
        Await.until("the master has noted it", Pair.LIMIT, () -> progress.committed(group) == popped.size());
        pair.createTopic(Queues.freshName("a-round-later"), slave);
        pair.createTopic(Queues.freshName("two-rounds-later"), slave);
      }
      master.kill();
      slave.kill();

      try (BrokerProcess successor = pair.slaveAsMaster().start(); RawClient client = RawClient.connect(successor.brokerPort())) {
        Set<String> again = new TreeSet<>();
        Await.until("all of it comes again", Pair.LIMIT, () -> {
          Pops.popNow(client, group, topic, INVISIBLE_MS).forEach(message -> again.add(message.text()));
          return again.containsAll(sent);
        });
        assertThat(Queues.readAll(client, topic, 0)).extracting(StoredRecord::text).containsExactlyElementsOf(sent);
      }
    }
  }
}
