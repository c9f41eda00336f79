package io.metaq.it.official;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.MetaqCommand;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What {@code metaq admin group} says of members that are official clients. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class MemberReportIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final MessageListenerConcurrently TAKES_ALL = (messages, context) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS;

  private final Server server;
  private final String topic = Queues.freshName("reported");
  private final String group = Queues.freshName("group");

  MemberReportIT(Server server) {
    this.server = server;
  }

  @Test
  void shouldTellWhichQueuesTwoOfficialConsumersHave() throws Exception {
    try (OfficialClients clients = new OfficialClients(server.namesrv())) {
      clients.producer().send(new Message(topic, "one".getBytes(StandardCharsets.UTF_8)));
      DefaultMQPushConsumer first = clients.pushConsumer(group, topic, "*");
      first.setInstanceName("first");
      DefaultMQPushConsumer second = clients.pushConsumer(group, topic, "*");
      second.setInstanceName("second");
      clients.start(first, TAKES_ALL);
      clients.start(second, TAKES_ALL);

      Await.until("each has its half of the queues", LIMIT, () -> {
        List<Set<Long>> held = held();
        return held.size() == 2 && held.get(0).size() == 2 && held.get(1).size() == 2
            && held.get(0).stream().noneMatch(held.get(1)::contains);
      });

      Map<?, ?> shown = shown();
      for (Object member : (List<?>) shown.get("members")) {
        assertThat((String) ((Map<?, ?>) member).get("release")).startsWith("V");
        assertThat(((Number) ((Map<?, ?>) member).get("sinceTimestampMs")).longValue()).isPositive();
      }
      // Brokers tell of a group's queues from its first commit on.
      Await.until("each queue has one reader", LIMIT, () -> {
        List<Integer> readers = ((List<?>) shown().get("queues")).stream().map(queue -> (Map<?, ?>) queue)
            .filter(queue -> queue.get("topic").equals(topic)).map(queue -> ((List<?>) queue.get("heldBy")).size()).toList();
        return readers.equals(List.of(1, 1, 1, 1));
      });
    }
  }

  /** Numbers of the topic's queues, by member. */
  private List<Set<Long>> held() throws Exception {
    return ((List<?>) shown().get("members")).stream().map(member -> (List<?>) ((Map<?, ?>) member).get("queues"))
        .filter(queues -> queues != null)
        .map(queues -> queues.stream().map(queue -> (Map<?, ?>) queue).filter(queue -> queue.get("topic").equals(topic))
            .map(queue -> ((Number) queue.get("queueId")).longValue()).collect(Collectors.toSet()))
        .toList();
  }

  private Map<?, ?> shown() throws Exception {
    MetaqCommand.Result result = MetaqCommand.run("admin", "group", group, "-n", server.namesrv(), "--json");
    // Before its first heartbeat nobody knows the group.
    return result.status() == 0 ? (Map<?, ?>) result.json() : Map.of("members", List.of());
  }
}
