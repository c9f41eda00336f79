package io.metaq.it.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Pops;
import io.metaq.it.Pops.Popped;
import io.metaq.it.RawClient;
import io.metaq.it.official.OfficialClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One store folder, opened in turn by an official broker and by ours: what the one wrote, the other has. */
class StoreExchangeIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int LOG_FILE_SIZE = 256 * 1024;
  private static final int QUEUE_FILE_SIZE = 2_000;
  private static final int INDEX_SLOTS = 1_000;
  private static final int INDEX_ENTRIES = 4_000;
  private static final int MESSAGES = 200;
  private static final int BATCH = 20;
  private static final int DELAYED = 4;
  private static final int TEN_SECONDS = 3;
  private static final String TEMPLATE_TOPIC = "TBW102";
  private static final String GROUP = "readers";

  @TempDir
  private Path folder;

  /** A message with everything that must be the same after the change of the broker. */
  private record Seen(
      int queueId, long queueOffset, long phyOffset, long storeTimestamp, String body, Map<String, String> properties) {
    static Seen of(MessageExt message) {
      Map<String, String> properties = new TreeMap<>(message.getProperties());
      // Added to each answer by the broker, not a part of what was written.
      properties.keySet().removeAll(List.of("MIN_OFFSET", "MAX_OFFSET"));
      return new Seen(message.getQueueId(), message.getQueueOffset(), message.getCommitLogOffset(), message.getStoreTimestamp(),
          new String(message.getBody(), UTF_8), properties);
    }
  }

  @Test
  void shouldGoOnWithTheStoreOfAnOfficialBrokerAndGiveItBack() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start()) {
      List<Seen> written;
      Map<Integer, Long> positions;
      try (OfficialServer official = official(namesrv.namesrv())) {
        send(namesrv.namesrv(), "first");
        written = read(namesrv.namesrv(), "first");
        positions = commitHalf(namesrv.namesrv(), "first");
        official.stop();
      }
      List<Seen> ofBoth;
      Map<Integer, Long> positionsOfOurs;
      try (BrokerProcess ours = ours(namesrv.namesrv())) {
        checkTakenOver(namesrv.namesrv(), "first", written, positions);

        send(namesrv.namesrv(), "second");
        ofBoth = read(namesrv.namesrv(), "second");
        popOnce(ours, "second");
        positionsOfOurs = commitHalf(namesrv.namesrv(), "second");
        assertThat(ours.stop()).isZero();
      }
      assertThat(offsetsFile()).as("a field of ours, beside the moved group's positions").content()
          .contains("metaqMoveTable");
      try (OfficialServer official = official(namesrv.namesrv())) {
        assertThat(read(namesrv.namesrv(), "first")).isEqualTo(written);
        checkTakenOver(namesrv.namesrv(), "second", ofBoth, positionsOfOurs);
      }
    }
  }

  @Test
  void shouldGoOnWithTheStoreOfAnOfficialBrokerThatWasKilled() throws Exception {
    try (BrokerProcess namesrv = BrokerProcess.nameserver().start()) {
      List<Seen> written;
      Map<Integer, Long> positions;
      try (OfficialServer official = official(namesrv.namesrv())) {
        send(namesrv.namesrv(), "killed");
        written = read(namesrv.namesrv(), "killed");
        Map<Integer, Long> committed = commitHalf(namesrv.namesrv(), "killed");
        positions = committed;
        Path offsets = offsetsFile();
        Await.until("the positions are on the disk", LIMIT, () -> holds(offsets, "killed@" + GROUP, committed));
        official.kill();
      }
      assertThat(store().resolve("abort")).exists();

      try (BrokerProcess ours = ours(namesrv.namesrv())) {
        checkTakenOver(namesrv.namesrv(), "killed", written, positions);
        assertThat(ours.stop()).isZero();
      }
    }
  }

  /** Whether a file of consumer offsets has every position of a group: it is saved now and then, also with some of them only. */
  private static boolean holds(Path offsets, String topicAtGroup, Map<Integer, Long> positions) throws IOException {
    if (!Files.exists(offsets)) {
      return false;
    }
    String text = Files.readString(offsets).replaceAll("\\s", "");
    int start = text.indexOf("\"" + topicAtGroup + "\":{");
    if (start < 0) {
      return false;
    }
    String queues = text.substring(text.indexOf("{", start) + 1, text.indexOf("}", start)).replace("\"", "");
    List<String> stored = List.of(queues.split(","));
    return positions.entrySet().stream().allMatch(queue -> stored.contains(queue.getKey() + ":" + queue.getValue()));
  }

  /** Messages of a topic, equal; found by key; read on by their group; the delayed ones come. */
  private static void checkTakenOver(String namesrv, String topic, List<Seen> written, Map<Integer, Long> positions)
      throws Exception {
    assertThat(read(namesrv, topic)).isEqualTo(written);

    List<Seen> rest = written.stream().filter(seen -> seen.queueOffset() >= positions.get(seen.queueId())).toList();
    ConcurrentLinkedQueue<Seen> consumed = new ConcurrentLinkedQueue<>();
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      Await.until("the last ones are in the index", LIMIT, () -> !byKey(clients, topic, "batch-" + (BATCH - 1)).isEmpty());
      assertThat(byKey(clients, topic, "key-7")).singleElement().extracting(Seen::body).asString().startsWith("m7 ");
      assertThat(byKey(clients, topic, "batch-3")).singleElement().extracting(Seen::body).isEqualTo("b3");
      clients.start(clients.pushConsumer(GROUP, topic, "*"), (MessageListenerConcurrently) (messages, context) -> {
        messages.forEach(message -> consumed.add(Seen.of(message)));
        return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
      });
      Await.until("the rest of the group's messages", LIMIT, () -> consumed.size() >= rest.size());
      // At least once: a killed broker may have delivered some and not noted it.
      assertThat(clients.readAll(topic + "-later", DELAYED)).extracting(message -> new String(message.getBody(), UTF_8))
          .containsOnly("d0", "d1", "d2", "d3");
    }
    assertThat(consumed).extracting(Seen::phyOffset)
        .containsExactlyInAnyOrderElementsOf(rest.stream().map(Seen::phyOffset).toList());
  }

  /** From now on it is noted when others move the group. */
  private static void popOnce(BrokerProcess ours, String topic) throws Exception {
    try (RawClient client = RawClient.connect(ours.brokerPort())) {
      List<Popped> popped = Pops.popNow(client, GROUP, topic, LIMIT.toMillis());
      assertThat(popped).isNotEmpty();
      for (Popped message : popped) {
        assertThat(client.call(message.ack()).code()).isZero();
      }
    }
  }

  private static void send(String namesrv, String topic) throws Exception {
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      clients.queues(TEMPLATE_TOPIC); // without its route a topic cannot be created by a send
      for (int i = 0; i < MESSAGES; i++) {
        String body = "m" + i + " " + "x".repeat(i * 16);
        Message message = new Message(topic, "tag" + i % 3, "key-" + i + " common", body.getBytes(UTF_8));
        message.putUserProperty("colour", "c" + i);
        clients.producer().send(message);
      }
      List<Message> batch = new ArrayList<>();
      for (int i = 0; i < BATCH; i++) {
        batch.add(new Message(topic, "batch", "batch-" + i, ("b" + i).getBytes(UTF_8)));
      }
      clients.producer().send(batch);
      for (int i = 0; i < DELAYED; i++) {
        Message message = new Message(topic + "-later", "tag", "later-" + i, ("d" + i).getBytes(UTF_8));
        message.setDelayTimeLevel(TEN_SECONDS);
        clients.producer().send(message);
      }
    }
  }

  private static List<Seen> read(String namesrv, String topic) throws Exception {
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      return clients.readAll(topic, MESSAGES + BATCH).stream().map(Seen::of).toList();
    }
  }

  private static List<Seen> byKey(OfficialClients clients, String topic, String key) throws Exception {
    try {
      return clients.producer().queryMessage(topic, key, 32, 0, Long.MAX_VALUE).getMessageList().stream()
          .map(Seen::of).toList();
    } catch (MQClientException none) {
      return List.of();
    }
  }

  /** Sets the group to the middle of each queue; queue id to position. */
  @SuppressWarnings("deprecation")
  private static Map<Integer, Long> commitHalf(String namesrv, String topic) throws Exception {
    Map<Integer, Long> positions = new TreeMap<>();
    try (OfficialClients clients = new OfficialClients(namesrv)) {
      var consumer = clients.pullConsumer(GROUP);
      for (MessageQueue queue : clients.queues(topic)) {
        long middle = consumer.maxOffset(queue) / 2;
        consumer.getDefaultMQPullConsumerImpl().getOffsetStore().updateConsumeOffsetToBroker(queue, middle, false);
        positions.put(queue.getQueueId(), middle);
      }
    }
    return positions;
  }

  private OfficialServer official(String namesrv) throws Exception {
    return OfficialServer.broker(folder, namesrv, """
        mappedFileSizeCommitLog=%d
        mappedFileSizeConsumeQueue=%d
        maxHashSlotNum=%d
        maxIndexNum=%d
        """.formatted(LOG_FILE_SIZE, QUEUE_FILE_SIZE, INDEX_SLOTS, INDEX_ENTRIES));
  }

  private BrokerProcess ours(String namesrv) throws Exception {
    return BrokerProcess.broker(store(), namesrv).key("brokerName", "peer-broker").key("brokerClusterName", "PeerCluster")
        .key("mappedFileSizeCommitLog", LOG_FILE_SIZE).key("mappedFileSizeConsumeQueue", QUEUE_FILE_SIZE)
        .key("maxHashSlotNum", INDEX_SLOTS).key("maxIndexNum", INDEX_ENTRIES).start();
  }

  private Path offsetsFile() {
    return store().resolve("config").resolve("consumerOffset.json");
  }

  private Path store() {
    return folder.resolve("store");
  }
}
