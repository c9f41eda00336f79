package io.metaq.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.cluster.Relay.Way;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A network between a synchronous master and its slave that falls silent, wholly or in one direction, or breaks all the time. */
@Execution(ExecutionMode.CONCURRENT)
class PartitionIT {
  private static final int OK = 0;
  private static final int SLAVE_NOT_AVAILABLE = 11;
  private static final int FLUSH_SLAVE_TIMEOUT = 12;
  private static final int HEARTBEAT_MS = 500;
  private static final int SILENCE_MS = 8_000;
  private static final int SLAVE_TIMEOUT_MS = 1_500;
  private static final int NEVER_MS = 600_000;
  private static final int WAITING = 50;
  private static final int NOT_WAITING = 200;
  private static final int PULLS = 50;
  private static final int BREAKS = 8;
  private static final String NO_WAIT = Requests.propertiesText(Map.of("WAIT", "false"));

  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"TO_SERVER,TO_CLIENT", "TO_SERVER", "TO_CLIENT"})
  void shouldAnswerEverybodyWhileTheSlaveIsOutOfReachAndCatchUpThen(String silent) throws Exception {
    String topic = Queues.freshName("partition");
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = silenceEnds(pair.master("SYNC_MASTER"), SILENCE_MS).key("slaveTimeout", SLAVE_TIMEOUT_MS).start();
        BrokerProcess slave = silenceEnds(pair.slave(), SILENCE_MS).start();
        RawClient client = RawClient.connect(master.brokerPort())) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      awaitAnswer(client, topic, OK);

      pair.partition(ways(silent));
      List<Integer> waiting = sendWaiting(client, topic);
      List<Integer> others = sendOthers(client, topic);

      assertThat(answers(client, waiting)).isSubsetOf(FLUSH_SLAVE_TIMEOUT, SLAVE_NOT_AVAILABLE).contains(FLUSH_SLAVE_TIMEOUT);
      assertThat(answers(client, others)).containsOnly(OK);
      awaitAnswer(client, topic, SLAVE_NOT_AVAILABLE);
      assertThat(Queues.readAll(client, topic, 0)).as("stored all the same").hasSizeGreaterThan(WAITING + NOT_WAITING);

      pair.heal();

      awaitAnswer(client, topic, OK);
      Stores.awaitSame(pair, slave, topic);
    }
  }

  @Test
  void shouldNotHoldThoseWhoDoNotWaitBehindThoseWhoDo() throws Exception {
    String topic = Queues.freshName("wait");
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = silenceEnds(pair.master("SYNC_MASTER"), NEVER_MS).key("slaveTimeout", NEVER_MS).start();
        BrokerProcess slave = silenceEnds(pair.slave(), NEVER_MS).start();
        RawClient client = RawClient.connect(master.brokerPort())) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      awaitAnswer(client, topic, OK);

      pair.partition(EnumSet.allOf(Way.class));
      List<Integer> waiting = sendWaiting(client, topic);
      List<Integer> others = sendOthers(client, topic);

      for (int i = 0; i < others.size(); i++) {
        RawFrame answer = client.receive();
        assertThat(waiting).as("nobody who waits is answered yet").doesNotContain(answer.opaque());
        assertThat(answer.code()).isEqualTo(OK);
      }

      pair.heal();

      assertThat(answers(client, waiting)).as("the slave has them now").containsOnly(OK);
      Stores.awaitSame(pair, slave, topic);
    }
  }

  @Test
  void shouldCopyWithoutAGapOverAConnectionThatBreaksAllTheTime() throws Exception {
    String topic = Queues.freshName("breaks");
    Acknowledged acknowledged = new Acknowledged();
    Random random = new Random(4);
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("ASYNC_MASTER").start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      pair.log().delay(2);
      Load load = Load.start(Load.Options.STEADY, master.brokerPort(), topic, "breaks", acknowledged);
      for (int breaks = 1; breaks <= BREAKS; breaks++) {
        int soMany = breaks;
        pair.log().cutAfter(100_000 + random.nextInt(100_000));
        Await.until("the connection is cut", Pair.LIMIT, () -> pair.log().cuts() == soMany);
      }
      pair.heal();
      load.stop();

      Stores.awaitSame(pair, slave, topic);
      acknowledged.assertAllAt(slave.brokerPort(), topic);
    }
  }

  private static BrokerProcess.Launch silenceEnds(BrokerProcess.Launch launch, int afterMs) {
    return launch.key("haSendHeartbeatInterval", HEARTBEAT_MS).key("haHousekeepingInterval", afterMs);
  }

  private static Set<Way> ways(String names) {
    Set<Way> ways = EnumSet.noneOf(Way.class);
    for (String name : names.split(",")) {
      ways.add(Way.valueOf(name));
    }
    return ways;
  }

  /** Messages that wait for slaves; the opaques of their requests. */
  private static List<Integer> sendWaiting(RawClient client, String topic) throws Exception {
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      sent.add(client.send(Requests.send(topic, 0, "waits " + i)));
    }
    return sent;
  }

  /** Messages that do not wait, and pulls. */
  private static List<Integer> sendOthers(RawClient client, String topic) throws Exception {
    List<Integer> sent = new ArrayList<>();
    for (int i = 0; i < NOT_WAITING; i++) {
      sent.add(client.send(Requests.send(topic, 0, new byte[100], NO_WAIT)));
    }
    for (int i = 0; i < PULLS; i++) {
      sent.add(client.send(Requests.pull(topic, 0, 0, 1, 0)));
    }
    return sent;
  }

  private static List<Integer> answers(RawClient client, List<Integer> opaques) throws Exception {
    List<Integer> codes = new ArrayList<>();
    for (int opaque : opaques) {
      codes.add(client.await(opaque).code());
    }
    return codes;
  }

  private static void awaitAnswer(RawClient client, String topic, int code) throws Exception {
    Await.until("a send is answered with " + code, Pair.LIMIT,
        () -> client.call(Requests.send(topic, 0, "asks")).code() == code);
  }
}
