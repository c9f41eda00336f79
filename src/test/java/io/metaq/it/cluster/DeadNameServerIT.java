package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.cluster.Relay.Way;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What a cluster does without its name server, and with one that takes connections and says nothing. */
@Execution(ExecutionMode.CONCURRENT)
class DeadNameServerIT {
  private static final int TOPIC_LIST = 206;

  @TempDir
  private Path folder;

  @Test
  void shouldGoOnWithoutANameServerAndLetASlaveFindItsMasterWhenItIsBack() throws Exception {
    String topic = Queues.freshName("nameless");
    Acknowledged acknowledged = new Acknowledged();
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("SYNC_MASTER").key("slaveTimeout", 60_000).start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);

      pair.namesrv().kill();
      Load load = Load.start(Load.Options.HARD.most(1_000), master.brokerPort(), topic, "nameless", acknowledged);
      load.join();
      assertThat(load.answers()).as("a slave confirms without any name server").containsOnlyKeys(0);
      slave.kill();
      slave.startAgain();
      Await.until("the slave knows no master", Pair.LIMIT,
          () -> Stores.replication(slave.brokerPort()).stream().anyMatch(state -> state.contains("NO_MASTER")));
      assertThat(call(master.brokerPort(), Requests.send(topic, 0, "alone")).code()).isNotZero();
      pair.namesrv().startAgain();

      pair.awaitFollowed();
      Stores.awaitSame(pair, slave, topic);
      acknowledged.assertAllAt(slave.brokerPort(), topic);
    }
  }

  @Test
  void shouldNotWaitForANameServerThatSaysNothing() throws Exception {
    List<String> topics = IntStream.range(0, 10).mapToObj(i -> Queues.freshName("topic")).toList();
    try (BrokerProcess mute = BrokerProcess.nameserver().start(); BrokerProcess good = BrokerProcess.nameserver().start();
        Relay hole = Relay.open(new InetSocketAddress("127.0.0.1", 0), new InetSocketAddress("127.0.0.1", mute.namesrvPort()))) {
      hole.silence(EnumSet.allOf(Way.class));
      try (BrokerProcess broker = BrokerProcess.broker(
              folder.resolve("broker"), "127.0.0.1:" + hole.port() + ";" + good.namesrv()).start();
          RawClient client = RawClient.connect(broker.brokerPort())) {
        for (String topic : topics) {
          assertThat(client.call(Requests.send(topic, 0, "m")).code()).isZero();
          assertThat(client.call(Requests.pull(topic, 0, 0, 1, 30_000)).code()).isZero();
        }
        Await.until("the other name server has all topics", Pair.LIMIT, () -> knows(good.namesrvPort(), topics));
        assertThat(knows(mute.namesrvPort(), topics.subList(0, 1))).isFalse();

        hole.heal();

        Await.until("the one that was silent has all topics", Pair.LIMIT, () -> knows(mute.namesrvPort(), topics));
        assertThat(broker.stop()).isZero();
      }
    }
  }

  private static boolean knows(int port, List<String> topics) throws IOException {
    String list = new String(call(port, RawFrame.request(TOPIC_LIST)).body(), UTF_8);
    return topics.stream().allMatch(topic -> list.contains("\"" + topic + "\""));
  }

  private static RawFrame call(int port, RawFrame request) throws IOException {
    try (RawClient client = RawClient.connect(port)) {
      return client.call(request);
    }
  }
}
