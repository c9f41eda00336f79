package io.metaq.it.official;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What operators do to groups of official clients while they run, and what befalls groups that are set up wrongly. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class GroupControlIT {

  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int MEMBERS = 38;
  private static final int RESET = 222;
  private static final int STATUS = 223;
  private static final int RUNNING_INFO = 307;
  private static final int CONSUME_DIRECTLY = 309;

  private final Server server;
  private final String topic = Queues.freshName("controlled");
  private final String group = Queues.freshName("group");
  private final Queue<MessageExt> consumed = new ConcurrentLinkedQueue<>();
  private OfficialClients clients;

  @TempDir
  private Path folder;

  GroupControlIT(Server server) {
    this.server = server;
    clients = new OfficialClients(server.namesrv());
  }

  @AfterEach
  void close() {
    clients.close();
  }

  @Test
  void shouldReadAgainAfterAResetWhileItRuns() throws Exception {
    shouldReadEverythingAgain(server.brokerPort());
  }

  @Test
  void shouldReadAgainWhenMembersAreToldThemselves() throws Exception {
    assumeTrue(server.isMetaq(), "needs a setting of its own");
    try (BrokerProcess process = BrokerProcess.standalone(folder).key("useServerSideResetOffset", false).start()) {
      clients = new OfficialClients(process.namesrv());
      try {
        shouldReadEverythingAgain(process.brokerPort());
      } finally {
        clients.close();
      }
    }
  }

  private void shouldReadEverythingAgain(int port) throws Exception {
    for (int i = 0; i < 20; i++) {
      clients.producer().send(new Message(topic, ("m" + i).getBytes(UTF_8)));
    }
    clients.start(clients.pushConsumer(group, topic, "*"), intoConsumed());
    Await.until("all of them", LIMIT, () -> texts().size() == 20);
    consumed.clear();

    RawFrame reset = call(port, RawFrame.request(RESET).ext("group", group).ext("topic", topic).ext("timestamp", 0).ext("isForce", true)
        .ext("queueId", -1));
    Await.until("all of them once more", LIMIT, () -> texts().size() == 20);

    assertThat(reset.code()).as(reset.toString()).isZero();
    assertThat(new String(reset.body(), UTF_8)).contains("\"topic\":\"" + topic + "\"}:0");
  }

  @Test
  void shouldAskMembersHowTheyRunAndGiveThemAMessage() throws Exception {
    SendResult sent = clients.producer().send(new Message(topic, "once more".getBytes(UTF_8)));
    DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
    clients.start(consumer, intoConsumed());
    Await.until("the message", LIMIT, () -> consumed.size() == 1);
    String clientId = consumer.getDefaultMQPushConsumerImpl().getmQClientFactory().getClientId();

    RawFrame info = call(server.brokerPort(), RawFrame.request(RUNNING_INFO).ext("consumerGroup", group).ext("clientId", clientId)
        .ext("jstackEnable", true));
    RawFrame directly = call(server.brokerPort(), RawFrame.request(CONSUME_DIRECTLY).ext("consumerGroup", group)
        .ext("clientId", clientId).ext("msgId", sent.getOffsetMsgId()).ext("topic", topic));
    RawFrame status = call(server.brokerPort(), RawFrame.request(STATUS).ext("group", group).ext("topic", topic));

    assertThat(info.code()).as(info.toString()).isZero();
    assertThat(new String(info.body(), UTF_8)).contains("\"PROP_CONSUME_TYPE\":\"CONSUME_PASSIVELY\"", "\"topic\":\"" + topic + "\"", "\"jstack\"");
    assertThat(directly.code()).as(directly.toString()).isZero();
    assertThat(new String(directly.body(), UTF_8)).contains("\"consumeResult\":\"CR_SUCCESS\"");
    assertThat(consumed).extracting(message -> new String(message.getBody(), UTF_8)).containsExactly("once more", "once more");
    assertThat(status.code()).as(status.toString()).isZero();
    assertThat(new String(status.body(), UTF_8)).contains("\"" + clientId + "\":{", "\"topic\":\"" + topic + "\"");
  }

  @Test
  void shouldLoseNothingWhenMembersOfAGroupWantDifferentTags() throws Exception {
    assumeTrue(server.isMetaq(), "the reference passes over what the reader of a queue does not want");
    clients.producer().send(new Message(topic, "none", "makes the topic".getBytes(UTF_8)));
    DefaultMQPushConsumer red = clients.pushConsumer(group, topic, "red");
    DefaultMQPushConsumer blue = clients.pushConsumer(group, topic, "blue");
    clients.start(red, intoConsumed());
    clients.start(blue, intoConsumed());
    Await.until("two members", LIMIT, () -> new String(call(server.brokerPort(),
        RawFrame.request(MEMBERS).ext("consumerGroup", group)).body(), UTF_8).split(",").length == 2);
    for (int i = 0; i < 40; i++) {
      clients.producer().send(new Message(topic, i % 8 < 4 ? "red" : "blue", ("m" + i).getBytes(UTF_8)));
    }
    Await.until("messages of both", LIMIT, () -> tags().size() == 2);
    red.shutdown();
    blue.shutdown();

    clients.start(clients.pushConsumer(group, topic, "red || blue"), intoConsumed());

    Await.until("every message", LIMIT, () -> texts().size() == 40);
  }

  private RawFrame call(int port, RawFrame request) throws Exception {
    try (RawClient client = RawClient.connect(port)) {
      return client.call(request);
    }
  }

  private MessageListenerConcurrently intoConsumed() {
    return (messages, context) -> {
      consumed.addAll(messages);
      return ConsumeConcurrentlyStatus.CONSUME_SUCCESS;
    };
  }

  private Set<String> texts() {
    return consumed.stream().map(message -> new String(message.getBody(), UTF_8)).collect(Collectors.toSet());
  }

  private Set<String> tags() {
    return new HashSet<>(consumed.stream().map(MessageExt::getTags).collect(Collectors.toList()));
  }

  /** The queues' offsets of a broadcasting group are the client's own affair. */
  @Test
  void shouldKeepTheOffsetsOfABroadcastingMemberWithIt() throws Exception {
    for (int i = 0; i < 10; i++) {
      clients.producer().send(new Message(topic, ("m" + i).getBytes(UTF_8)));
    }
    String instance = Queues.freshName("broadcast");
    for (int from : List.of(0, 10)) {
      DefaultMQPushConsumer consumer = clients.pushConsumer(group, topic, "*");
      consumer.setInstanceName(instance);
      ClientVersion.setBroadcasting(consumer);
      clients.start(consumer, intoConsumed());
      Await.until("ten messages", LIMIT, () -> texts().size() == from + 10);
      consumer.shutdown();
      for (int i = 10; i < 20 && from == 0; i++) {
        clients.producer().send(new Message(topic, ("m" + i).getBytes(UTF_8)));
      }
    }

    assertThat(consumed).as("but for those that were in the hands of the first one").hasSizeLessThan(30);
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      assertThat(client.call(Requests.committedOffset(group, topic, 0).ext("setZeroIfNotFound", false)).code()).isEqualTo(22);
    }
  }
}
