package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.MetaqCommand;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.Requests;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code metaq admin brokers} says of a master and its slave. */
class ReplicationFiguresIT {
  @TempDir
  private Path folder;

  @Test
  void shouldTellHowFarTheSlaveIs() throws Exception {
    String topic = Queues.freshName("figures");
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("ASYNC_MASTER").start();
        BrokerProcess slave = pair.slave().start();
        RawClient client = RawClient.connect(master.brokerPort())) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      assertThat(client.call(Requests.send(topic, 0, "one")).code()).isZero();

      Await.until("the slave is in sync, and both tell", Pair.LIMIT, () -> {
        Map<?, ?> ofMaster = replication(pair, 0);
        Map<?, ?> ofSlave = replication(pair, 1);
        return ofMaster != null && ofSlave != null && ((List<?>) ofMaster.get("followers")).size() == 1
            && follower(ofMaster).get("inSync").equals(true) && number(follower(ofMaster), "lagBytes") == 0
            && ofSlave.get("master") != null && number((Map<?, ?>) ofSlave.get("master"), "lagBytes") == 0;
      });

      assertThat(number(follower(replication(pair, 0)), "acknowledgedOffset")).isEqualTo(Stores.logEnd(master.brokerPort()));
      assertThat(number(follower(replication(pair, 0)), "lastAnsweredTimestampMs")).isPositive();
      assertThat(((Map<?, ?>) replication(pair, 1).get("master")).get("connected")).isEqualTo(true);
      assertThat(MetaqCommand.run("admin", "brokers", "-n", pair.namesrv().namesrv()).text())
          .containsPattern("(?m)^BROKER +ROLE +REPLICA +STATE +LAG BYTES +BYTES/S +LAST HEARD$")
          .containsPattern("(?m)^b +master +to \\S+ +in sync +0 +\\d+ +\\d{4}-")
          .containsPattern("(?m)^b +slave 1 +from \\S+ +connected +0 +\\d+ +\\d{4}-");
    }
  }

  private static Map<?, ?> replication(Pair pair, long id) throws Exception {
    for (Object broker : (List<?>) MetaqCommand.run("admin", "brokers", "-n", pair.namesrv().namesrv(), "--json").json()) {
      if (number((Map<?, ?>) broker, "id") == id) {
        return (Map<?, ?>) ((Map<?, ?>) broker).get("replication");
      }
    }
    return null;
  }

  private static Map<?, ?> follower(Map<?, ?> ofMaster) {
    return (Map<?, ?>) ((List<?>) ofMaster.get("followers")).get(0);
  }

  private static long number(Map<?, ?> object, String field) {
    return ((Number) object.get(field)).longValue();
  }
}
