package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.MetaqCommand;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.selector.SelectMessageQueueByHash;
import org.apache.rocketmq.common.message.Message;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A group of official push consumers and of our client, the latter in the command {@code consume}, which has a Netty of its own. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class MixedGroupIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int MEMBERS = 38;
  private static final int RUNNING_INFO = 307;
  private static final Pattern OUR_ID = Pattern.compile("\"(metaq@[^\"]+)\"");

  private final Server server;
  private final String topic = Queues.freshName("mixed");
  private final String group = Queues.freshName("mixedgroup");
  private final Queue<String> official = new ConcurrentLinkedQueue<>();
  private final OfficialClients clients;
  private int sent;

  MixedGroupIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldShareQueuesAndHandThemOverInBothDirections() throws Exception {
    send(40);
    start(clients.pushConsumer(group, topic, "*"));
    Await.until("all of them at the official member", LIMIT, () -> official.size() == 40);

    try (MetaqCommand.Running ours = MetaqCommand.start("consume", "-n", server.namesrv(), "-t", topic, "-g", group)) {
      Await.until("queues of both members", LIMIT, () -> ourQueues() == 2);
      send(40);
      Await.until("the rest at both", LIMIT, () -> official.size() + ours.lines().size() >= 80);
      assertThat(all(ours.lines())).as("every message").hasSize(80);
      assertThat(official.size() + ours.lines().size()).as("nothing that was acknowledged is delivered twice").isEqualTo(80);
      assertThat(ours.lines()).hasSize(20);
      ours.stop();
    }

    send(8);
    Await.until("all queues at the official member", LIMIT, () -> official.size() >= 68);
    assertThat(official).as("nothing that was acknowledged is delivered twice").hasSize(68);
  }

  private void send(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      clients.producer().send(new Message(topic, ("m" + sent++).getBytes(UTF_8)), new SelectMessageQueueByHash(), sent);
    }
  }

  private void start(DefaultMQPushConsumer consumer) throws Exception {
    MessageListenerConcurrently listener = (messages, context) -> {
      messages.forEach(message -> official.add(new String(message.getBody(), UTF_8)));
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
    clients.start(consumer, listener);
  }

  private Set<String> all(List<String> lines) {
    Set<String> all = new HashSet<>(official);
    all.addAll(lines);
    return all;
  }

  /** How many queues of the topic our member says it has; 0 while it is none. */
  private int ourQueues() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      Matcher ours = OUR_ID.matcher(text(client.call(RawFrame.request(MEMBERS).ext("consumerGroup", group))));
      if (!ours.find()) {
        return 0;
      }
      String info = text(client.call(RawFrame.request(RUNNING_INFO).ext("consumerGroup", group).ext("clientId", ours.group(1))
          .ext("jstackEnable", false)));
      return info.split(Pattern.quote("\"topic\":\"" + topic + "\"}:"), -1).length - 1;
    }
  }

  private static String text(RawFrame answer) {
    return new String(answer.body(), UTF_8);
  }
}
