package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.HttpMember;
import io.metaq.it.Json;
import io.metaq.it.MetaqCommand;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.selector.SelectMessageQueueByHash;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** One group of an official push consumer, our client (in the command {@code consume}), a WebSocket and a stream of events. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class EveryKindOfMemberIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int QUEUES = 4;
  private static final int FIRST = 40;
  private static final int MESSAGES = 400;

  private final Server server;
  private final String topic = Queues.freshName("every");
  private final String group = Queues.freshName("everygroup");
  private final Queue<String> official = new ConcurrentLinkedQueue<>();
  private final OfficialClients clients;
  private int sent;

  EveryKindOfMemberIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldDeliverEachMessageOnceToOneOfThem() throws Exception {
    assumeTrue(server.isMetaq());
    int http = server.process().httpPort();
    send(FIRST);
    MessageListenerConcurrently listener = (messages, context) -> {
      messages.forEach(message -> official.add(new String(message.getBody(), UTF_8)));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
    clients.start(clients.pushConsumer(group, topic, "*"), listener);
    Await.until("the first at the official member", LIMIT, () -> official.size() == FIRST && lag(http) == 0);

    try (MetaqCommand.Running ours = MetaqCommand.start("consume", "-n", server.namesrv(), "-t", topic, "-g", group);
        HttpMember page = HttpMember.overWebSocket(http, topic, group);
        HttpMember stream = HttpMember.overEvents(http, topic, group)) {
      Await.until("queues of the official client, of ours and of the bridge", LIMIT, () -> holders(http).size() == 3);
      send(MESSAGES - FIRST);
      Await.until("each at one of them, and acknowledged", LIMIT,
          () -> all(ours, page, stream).size() >= MESSAGES && lag(http) == 0);

      List<String> all = all(ours, page, stream);
      assertThat(Set.copyOf(all)).as("every message").hasSize(MESSAGES);
      assertThat(all).as("each once").hasSize(MESSAGES);
      assertThat(List.of(official.size() - FIRST, ours.lines().size(), page.bodies().size(), stream.bodies().size()))
          .as("parts of official client, ours, WebSocket and events").allSatisfy(part -> assertThat(part).isPositive());
      ours.stop();
    }
  }

  private List<String> all(MetaqCommand.Running ours, HttpMember page, HttpMember stream) throws Exception {
    List<String> all = new ArrayList<>(official);
    all.addAll(ours.lines());
    all.addAll(page.bodies());
    all.addAll(stream.bodies());
    return all;
  }

  private void send(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      clients.producer().send(new Message(topic, ("m" + sent++).getBytes(UTF_8)), new SelectMessageQueueByHash(), sent);
    }
  }

  private long lag(int http) throws Exception {
    return group(http).get("lag") instanceof Number lag ? lag.longValue() : -1;
  }

  /** Who has the queues of the topic; none while one of them is nobody's, or of two. */
  private Set<Object> holders(int http) throws Exception {
    List<Object> holders = queues(http).stream().map(queue -> queue.get("heldBy"))
        .filter(heldBy -> heldBy instanceof List<?> one && one.size() == 1).toList();
    return holders.size() == QUEUES ? new HashSet<>(holders) : Set.of();
  }

  @SuppressWarnings("unchecked")
  private List<Map<String, Object>> queues(int http) throws Exception {
    return ((List<Map<String, Object>>) group(http).getOrDefault("queues", List.of())).stream()
        .filter(queue -> topic.equals(queue.get("topic"))).toList();
  }

  private Map<String, Object> group(int http) throws Exception {
    return Json.object(HttpMember.call(http, "GET", "/v1/groups/" + group, "").body());
  }
}
