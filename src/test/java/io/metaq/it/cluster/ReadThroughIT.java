package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.MetaqJar;
import io.metaq.it.Queues;
import io.metaq.it.cluster.Relay.Way;
import io.metaq.it.official.OfficialClients;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A group of the official client and one of our own read on through everything that befalls their brokers, and have every
 * acknowledged message in the end.
 */
@Execution(ExecutionMode.CONCURRENT)
class ReadThroughIT {
  private static final int MESSAGES = 2_000;
  private static final int HEARTBEAT_MS = 500;
  private static final int SILENCE_MS = 4_000;

  @TempDir
  private Path folder;

  @Test
  void shouldShowEveryAcknowledgedMessageToEveryGroup() throws Exception {
    String topic = Queues.freshName("through");
    Acknowledged acknowledged = new Acknowledged();
    Collection<String> seenByOfficial = new ConcurrentLinkedQueue<>();
    Path printed = folder.resolve("printed");
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = silenceEnds(pair.master("SYNC_MASTER")).key("slaveTimeout", 60_000).start();
        BrokerProcess slave = silenceEnds(pair.slave()).start();
        OfficialClients clients = new OfficialClients(pair.namesrv().namesrv())) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      Process own = consume(pair, topic, printed);
      try {
        clients.start(clients.pushConsumer(Queues.freshName("official"), topic, "*"),
            (MessageListenerConcurrently) (messages, context) -> {
          messages.forEach(message -> seenByOfficial.add(new String(message.getBody(), UTF_8)));
          return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
        });
        Await.until("both groups read", Pair.LIMIT, () -> !seenByOfficial.isEmpty() && !lines(printed).isEmpty());

        killUnderLoad(pair, master, topic, acknowledged);
        awaitSeen("from the slave", acknowledged, seenByOfficial, printed);

        master.startAgain();
        pair.awaitFollowed();
        send(pair, topic, "back", acknowledged);
        awaitSeen("after the master's return", acknowledged, seenByOfficial, printed);

        pair.log().silence(EnumSet.allOf(Way.class));
        sendWithoutWaiting(pair, topic, "apart", acknowledged);
        awaitSeen("while slave and master are apart", acknowledged, seenByOfficial, printed);

        pair.heal();
        pair.awaitFollowed();
        slave.kill();
        sendWithoutWaiting(pair, topic, "alone", acknowledged);
        awaitSeen("without a slave", acknowledged, seenByOfficial, printed);
        assertThat(own.isAlive()).isTrue();
      } finally {
        own.destroyForcibly().waitFor();
      }
    }
    System.out.printf(
        "read through a master's and a slave's death and a partition: %d acknowledged, twice or more: %d official, %d own%n",
        acknowledged.count(), duplicates(seenByOfficial), duplicates(lines(printed)));
  }

  private static BrokerProcess.Launch silenceEnds(BrokerProcess.Launch launch) {
    return launch.key("haSendHeartbeatInterval", HEARTBEAT_MS).key("haHousekeepingInterval", SILENCE_MS);
  }

  private static void killUnderLoad(Pair pair, BrokerProcess master, String topic, Acknowledged acknowledged) throws Exception {
    Load load = Load.start(Load.Options.STEADY, pair.masterPort(), topic, "killed", acknowledged);
    Await.until("so many messages are acknowledged", Pair.LIMIT, () -> acknowledged.count() >= MESSAGES);
    master.kill();
    load.join();
  }

  private static void send(Pair pair, String topic, String label, Acknowledged acknowledged) throws Exception {
    Load.start(Load.Options.STEADY.most(MESSAGES / 10), pair.masterPort(), topic, label, acknowledged).join();
  }

  private static void sendWithoutWaiting(Pair pair, String topic, String label, Acknowledged acknowledged) throws Exception {
    Load.start(Load.Options.STEADY.most(MESSAGES / 10).waiting(false), pair.masterPort(), topic, label, acknowledged).join();
  }

  private static void awaitSeen(String when, Acknowledged acknowledged, Collection<String> official, Path printed)
      throws Exception {
    Set<String> expected = acknowledged.texts();
    Await.until("the official group has all, " + when, Pair.LIMIT, () -> new HashSet<>(official).containsAll(expected));
    Await.until("our own group has all, " + when, Pair.LIMIT, () -> new HashSet<>(lines(printed)).containsAll(expected));
  }

  /** Our client, as a user runs it. */
  private static Process consume(Pair pair, String topic, Path printed) throws IOException {
    Process process = new ProcessBuilder(MetaqJar.command("consume", "-n", pair.namesrv().namesrv(), "-t", topic,
        "-g", Queues.freshName("own")))
        .redirectOutput(printed.toFile()).redirectError(new File(printed + ".err")).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  private static List<String> lines(Path printed) throws IOException {
    return Files.readAllLines(printed);
  }

  private static int duplicates(Collection<String> seen) {
    return seen.size() - new HashSet<>(seen).size();
  }
}
