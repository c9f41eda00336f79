package io.metaq.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.MetaqException;
import io.metaq.client.SendReceipt;
import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.reactive.messaging.MutinyEmitter;
import io.smallrye.reactive.messaging.OutgoingMessageMetadata;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.eclipse.microprofile.reactive.messaging.Channel;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.Metadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The connector in a container of SmallRye, on its Vert.x 4.5, against a broker that is a process of its own. */
@ExtendWith(SharedServer.class)
@Timeout(120)
class ConnectorIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String topic = "messaging-" + UUID.randomUUID();
  private final String group = "group-" + UUID.randomUUID();

  /** Sends what a test wants. */
  @ApplicationScoped
  static class Sender {
    @Inject
    @Channel("out")
    MutinyEmitter<Object> emitter;

    void send(Object payload) {
      emitter.send(payload).await().atMost(LIMIT);
    }

    SendReceipt send(Object payload, OutgoingMetaqMetadata metadata) {
      OutgoingMessageMetadata<SendReceipt> outcome = new OutgoingMessageMetadata<>();
      emitter.sendMessage(Message.of(payload, Metadata.of(metadata, outcome))).await().atMost(LIMIT);
      return outcome.getResult();
    }
  }

  /** Takes texts, and fails for some of them. */
  @ApplicationScoped
  static class Texts {
    private final BlockingQueue<String> taken = new LinkedBlockingQueue<>();

    @Incoming("in")
    void take(String text) {
      taken.add(text);
      if (text.startsWith("bad")) {
        throw new IllegalArgumentException("cannot take " + text);
      }
    }

    String next() throws InterruptedException {
      return taken.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Takes whole messages and notes where. */
  @ApplicationScoped
  static class Messages {
    private final BlockingQueue<Message<byte[]>> taken = new LinkedBlockingQueue<>();
    private final BlockingQueue<Context> contexts = new LinkedBlockingQueue<>();

    @Incoming("in")
    CompletionStage<Void> take(Message<byte[]> message) {
      taken.add(message);
      contexts.add(Vertx.currentContext());
      return message.ack();
    }

    Message<byte[]> next() throws InterruptedException {
      return taken.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    Context nextContext() throws InterruptedException {
      return contexts.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Takes JSON. */
  @ApplicationScoped
  static class Orders {
    private final BlockingQueue<JsonObject> taken = new LinkedBlockingQueue<>();

    @Incoming("in")
    void take(JsonObject order) {
      taken.add(order);
    }

    JsonObject next() throws InterruptedException {
      return taken.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Takes no more than it asks for. */
  @ApplicationScoped
  static class Asking {
    @Inject
    @Channel("in")
    Multi<Message<byte[]>> messages;

    AssertSubscriber<Message<byte[]>> ask(int count) {
      return messages.subscribe().withSubscriber(AssertSubscriber.create(count));
    }
  }

  /** Takes the dead letters. */
  @ApplicationScoped
  static class DeadLetters {
    private final CompletableFuture<String> first = new CompletableFuture<>();

    @Incoming("dead")
    void take(String text) {
      first.complete(text);
    }

    String first() throws Exception {
      return first.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void shouldBringWhatIsSentInOrderOfEachQueue(Server server) throws Exception {
    try (Application application = bothWays(server).start(Sender.class, Texts.class)) {
      Sender sender = application.bean(Sender.class);
      Texts texts = application.bean(Texts.class);

      List<String> sent = IntStream.range(0, 20).mapToObj(i -> "text " + i).toList();
      sent.forEach(text -> sender.send(text, OutgoingMetaqMetadata.none().orderKey("one")));

      for (String text : sent) {
        assertThat(texts.next()).isEqualTo(text);
      }
    }
  }

  @Test
  void shouldCarryMetadataBothWays(Server server) throws Exception {
    try (Application application = bothWays(server).start(Sender.class, Messages.class)) {
      SendReceipt receipt = application.bean(Sender.class).send(
          "body", OutgoingMetaqMetadata.none().tag("paid").key("o-1").key("o-2").property("region", "eu"));
      Message<byte[]> message = application.bean(Messages.class).next();

      IncomingMetaqMetadata metadata = message.getMetadata(IncomingMetaqMetadata.class).orElseThrow();
      assertThat(message.getPayload()).isEqualTo("body".getBytes(StandardCharsets.UTF_8));
      assertThat(metadata.topic()).isEqualTo(topic);
      assertThat(metadata.tag()).contains("paid");
      assertThat(metadata.keys()).containsExactly("o-1", "o-2");
      assertThat(metadata.property("region")).contains("eu");
      assertThat(metadata.messageId()).isEqualTo(receipt.messageId());
      assertThat(metadata.queueId()).isEqualTo(receipt.queueId());
      assertThat(metadata.queueOffset()).isEqualTo(receipt.queueOffset());
      assertThat(metadata.reconsumeTimes()).isZero();
    }
  }

  @Test
  void shouldGiveEachMessageAContextOfItsOwnOnAnEventLoop(Server server) throws Exception {
    try (Application application = bothWays(server).start(Sender.class, Messages.class)) {
      application.bean(Sender.class).send("one");
      application.bean(Sender.class).send("two");
      Messages messages = application.bean(Messages.class);

      Context first = messages.nextContext();
      Context second = messages.nextContext();

      assertThat(first.isEventLoopContext()).isTrue();
      assertThat(first).isNotSameAs(second);
    }
  }

  @Test
  void shouldConvertPayloadsBothWays(Server server) throws Exception {
    try (Application application = bothWays(server).start(Sender.class, Orders.class)) {
      application.bean(Sender.class).send(new JsonObject().put("id", 7));

      JsonObject order = application.bean(Orders.class).next();

      assertThat(order.getInteger("id")).isEqualTo(7);
    }
  }

  @Test
  void shouldRefuseAPayloadThatCannotBeSentAndGoOn(Server server) throws Exception {
    try (Application application = bothWays(server).start(Sender.class, Texts.class)) {
      Sender sender = application.bean(Sender.class);

      assertThatThrownBy(() -> sender.send(new StringBuilder[0]))
          .hasMessageContaining("channel 'out' cannot send a payload of [Ljava.lang.StringBuilder;");
      sender.send("after it");

      assertThat(application.bean(Texts.class).next()).isEqualTo("after it");
    }
  }

  @Test
  void shouldSelectByTags(Server server) throws Exception {
    Application.Channels channels = new Application.Channels(server.namesrvPort())
        .outgoing("out", "topic", topic, "tag", "open")
        .incoming("in", "topic", topic, "group.id", group, "auto.offset.reset", "earliest", "tags", "paid || shipped");
    try (Application application = channels.start(Sender.class, Texts.class)) {
      Sender sender = application.bean(Sender.class);

      sender.send("has the channel's tag");
      sender.send("has its own", OutgoingMetaqMetadata.none().tag("shipped"));

      assertThat(application.bean(Texts.class).next()).isEqualTo("has its own");
    }
  }

  @Test
  void shouldHaveAFailedMessageDeliveredAgain(Server server) throws Exception {
    try (Application application = bothWays(server, "failure-strategy", "retry").start(Sender.class, Texts.class)) {
      application.bean(Sender.class).send("bad, twice at least");
      Texts texts = application.bean(Texts.class);

      assertThat(texts.next()).isEqualTo("bad, twice at least");
      assertThat(texts.next()).isEqualTo("bad, twice at least");
      assertThat(application.liveness().isOk()).isTrue();
    }
  }

  @Test
  void shouldBringAFailedMessageToTheDeadLetters(Server server) throws Exception {
    Application.Channels channels = bothWays(server, "failure-strategy", "dead-letter-queue")
        .incoming("dead", "topic", "%DLQ%" + group, "auto.offset.reset", "earliest");
    try (Application application = channels.start(Sender.class, Texts.class, DeadLetters.class)) {
      application.bean(Sender.class).send("bad one");
      application.bean(Sender.class).send("good one");

      assertThat(application.bean(DeadLetters.class).first()).isEqualTo("bad one");
    }
  }

  @Test
  void shouldPassOverAFailedMessage(Server server) throws Exception {
    try (Application application = bothWays(server, "failure-strategy", "ignore").start(Sender.class, Texts.class)) {
      Sender sender = application.bean(Sender.class);
      sender.send("bad one", OutgoingMetaqMetadata.none().orderKey("one"));
      sender.send("good one", OutgoingMetaqMetadata.none().orderKey("one"));
      Texts texts = application.bean(Texts.class);

      assertThat(texts.next()).isEqualTo("bad one");
      assertThat(texts.next()).isEqualTo("good one");
      assertThat(application.liveness().isOk()).isTrue();
    }
  }

  @Test
  void shouldStopTheChannelAndDeliverAFailedMessageToWhoComesNext(Server server) throws Exception {
    try (Application application = bothWays(server, "failure-strategy", "fail").start(Sender.class, Texts.class)) {
      application.bean(Sender.class).send("bad one");
      assertThat(application.bean(Texts.class).next()).isEqualTo("bad one");
      await(() -> !application.liveness().isOk());
      assertThat(application.liveness().getChannels())
          .filteredOn(channel -> !channel.isOk())
          .singleElement()
          .satisfies(channel -> assertThat(channel.getMessage()).contains("cannot take bad one"));
    }

    try (Application application = bothWays(server).start(Sender.class, Messages.class)) {
      assertThat(application.bean(Messages.class).next().getPayload()).isEqualTo("bad one".getBytes(StandardCharsets.UTF_8));
    }
  }

  @Test
  void shouldTellOfAMessageThatIsNeverSettledUntilItIs(Server server) throws Exception {
    try (Application application = bothWays(server, "stuck-after-ms", "200").start(Sender.class, Asking.class)) {
      AssertSubscriber<Message<byte[]>> subscriber = application.bean(Asking.class).ask(1);
      assertThat(application.liveness().isOk()).isTrue();
      application.bean(Sender.class).send("held");
      subscriber.awaitItems(1, LIMIT);

      await(() -> !application.liveness().isOk());
      assertThat(application.liveness().getChannels()).filteredOn(channel -> !channel.isOk()).singleElement()
          .satisfies(channel -> assertThat(channel.getMessage()).contains(topic, "neither acknowledged nor refused"));

      subscriber.getItems().get(0).ack().toCompletableFuture().get(60, TimeUnit.SECONDS);
      await(() -> application.liveness().isOk());
      subscriber.cancel();
    }
  }

  @Test
  void shouldBringNoMoreThanIsAskedFor(Server server) {
    try (Application application = bothWays(server).start(Sender.class, Asking.class)) {
      Sender sender = application.bean(Sender.class);
      AssertSubscriber<Message<byte[]>> subscriber = application.bean(Asking.class).ask(3);
      IntStream.range(0, 10).forEach(i -> sender.send("text " + i));

      subscriber.awaitItems(3, LIMIT);
      subscriber.request(2).awaitItems(5, LIMIT);

      assertThat(subscriber.getItems()).hasSize(5);
      subscriber.cancel();
    }
  }

  @Test
  void shouldWaitForAClusterThatIsNotThereYet(@TempDir Path folder) throws Exception {
    try (BrokerProcess broker = BrokerProcess.standalone(folder).start()) {
      Application.Channels channels = new Application.Channels(broker.namesrvPort())
          .outgoing("out", "topic", topic, "send-timeout-ms", "500", "request-timeout-ms", "500")
          .incoming("in", "topic", topic, "group.id", group, "auto.offset.reset", "earliest");
      broker.stop();

      try (Application application = channels.start(Sender.class, Texts.class)) {
        Sender sender = application.bean(Sender.class);
        assertThat(application.readiness().isOk()).isFalse();
        assertThat(application.liveness().isOk()).isTrue();
        assertThatThrownBy(() -> sender.send("too early")).isInstanceOf(MetaqException.class);

        broker.startAgain();
        await(() -> application.readiness().isOk());
        await(() -> sends(sender, "in time"));
        assertThat(application.bean(Texts.class).next()).isEqualTo("in time");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      failure-strategy  | give-up  | channel 'in': failure-strategy must be one of fail, ignore, retry, dead-letter-queue, not 'give-up'
      auto.offset.reset | newest   | channel 'in': auto.offset.reset must be latest, earliest or a time such as
      max-unsettled     | 0        | channel 'in': max-unsettled must be at least 1, not '0'
      read-ahead        | many     | channel 'in': read-ahead must be a whole number, not 'many'
      health-enabled    | perhaps  | channel 'in': health-enabled must be true or false, not 'perhaps'
      sql               | a = = 1  | channel 'in':
      topic             | no topic | channel 'in':
      """)
  void shouldNotStartWithAFaultyAttribute(String attribute, String value, String sentence, Server server) {
    assertThatThrownBy(() -> bothWays(server, attribute, value).start(Sender.class, Texts.class).close())
        .hasStackTraceContaining(sentence);
  }

  private Application.Channels bothWays(Server server, String... incoming) {
    return new Application.Channels(server.namesrvPort())
        .outgoing("out", "topic", topic)
        .incoming("in", "topic", topic, "group.id", group, "auto.offset.reset", "earliest")
        .incoming("in", incoming);
  }

  private static boolean sends(Sender sender, String text) {
    try {
      sender.send(text);
      return true;
    } catch (MetaqException notYet) {
      return false;
    }
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    Await.until("the application is as expected", LIMIT, condition);
  }
}
