package io.metaq.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.SendReceipt;
import io.metaq.client.Subscription;
import io.metaq.it.Queues;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Every way of sending, and what consumers of this client get. */
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(SharedServer.class)
class ProducerIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Server server;
  private final String topic = Queues.freshName("sent");
  private Vertx vertx;
  private MetaqClient client;

  ProducerIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.namesrv()));
  }

  @AfterEach
  void close() {
    client.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void shouldSendAListInFewRequestsAndGiveAReceiptOfEachPlace() {
    byte[] long5000 = new byte[5000];
    new Random(1).nextBytes(long5000);
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      messages.add(Message.to(topic).body("m" + i).key("k" + i).tag(i % 2 == 0 ? "even" : "odd").property("place", "" + i));
    }
    messages.add(250, Message.to(topic).body(long5000).property("place", "long"));

    List<SendReceipt> receipts = client.sendAll(messages).await().atMost(LIMIT);

    List<Message> read = read(501);
    assertThat(receipts).hasSize(501).extracting(SendReceipt::messageId).doesNotHaveDuplicates();
    assertThat(read).extracting(message -> message.messageId().orElseThrow())
        .containsExactlyInAnyOrderElementsOf(receipts.stream().map(SendReceipt::messageId).toList());
    assertThat(read).filteredOn(message -> message.property("place").equals(Optional.of("long")))
        .singleElement().satisfies(message -> assertThat(message.body()).isEqualTo(long5000));
    assertThat(client.admin().message(Optional.empty(), receipts.get(499).offsetMessageId()).await().atMost(LIMIT))
        .hasValueSatisfying(found -> assertThat(found.message().messageId()).contains(receipts.get(499).messageId()));
  }

  @Test
  void shouldKeepTheOrderOfAKeyInOneQueue() {
    client.send(Message.to(topic).body("makes the topic")).await().atMost(LIMIT);
    client.queues(topic).await().atMost(LIMIT);
    List<Message> messages =
        IntStream.range(0, 300).mapToObj(i -> Message.to(topic).orderKey("k" + i % 5).body(("" + i).repeat(i % 50 == 0 ? 3000 : 1))).toList();

    List<SendReceipt> receipts =
        Uni.join().all(messages.stream().map(client::send).toList()).andFailFast().await().atMost(LIMIT);

    for (int key = 0; key < 5; key++) {
      int k = key;
      List<SendReceipt> ofKey = IntStream.range(0, 300).filter(i -> i % 5 == k).mapToObj(receipts::get).toList();
      assertThat(ofKey.stream().map(SendReceipt::queueId).collect(Collectors.toSet())).hasSize(1);
      assertThat(ofKey).extracting(SendReceipt::queueOffset).isSorted();
    }
  }

  @Test
  void shouldDeliverAMessageAtItsTimeAndTellAHandleToTakeItBackWith() {
    long beforeMs = System.currentTimeMillis();
    SendReceipt after = client.send(Message.to(topic).body("after").deliverAfter(Duration.ofMillis(1500))).await().atMost(LIMIT);
    client.send(Message.to(topic).body("at").deliverAt(Instant.ofEpochMilli(beforeMs + 1200))).await().atMost(LIMIT);
    client.send(Message.to(topic).body("level").delayLevel(1)).await().atMost(LIMIT);

    List<Message> read = read(3);

    assertThat(System.currentTimeMillis() - beforeMs).isGreaterThanOrEqualTo(1400);
    assertThat(read).extracting(Message::text).containsExactlyInAnyOrder("after", "at", "level");
    assertThat(after.recallHandle()).isPresent();
    // Brokers permit it only when they are configured to.
    assertThat(catchThrowableOfType(MetaqException.class, () -> client.recall(after.recallHandle().get()).await().atMost(LIMIT)).code())
        .isEqualTo(16);
  }

  @Test
  void shouldStoreAOneWayMessage() {
    client.send(Message.to(topic).body("first")).await().atMost(LIMIT);

    client.sendOneWay(Message.to(topic).body("one way").waitStored(false)).await().atMost(LIMIT);

    assertThat(read(2)).extracting(Message::text).contains("one way");
  }

  @Test
  void shouldBringTheAnswerToARequest() {
    client.send(Message.to(topic).body("makes the topic")).await().atMost(LIMIT);
    MetaqClient answering = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.namesrv()));
    answering
        .subscribe(Subscription.to(topic).group(Queues.freshName("answering")).from(Position.EARLIEST))
        .onItem()
        .transformToUniAndConcatenate(delivery ->
            delivery.message().property("CORRELATION_ID").isEmpty()
                ? delivery.ack()
                : answering
                    .reply(Message.replyTo(delivery.message()).body(delivery.message().text() + "!").property("own", "kept"))
                    .chain(delivery::ack))
        .subscribe()
        .with(done -> {});

    Message small = client.request(Message.to(topic).body("ping"), LIMIT).await().atMost(LIMIT);
    Message large = client.request(Message.to(topic).body("so much of the same. ".repeat(5000)), LIMIT).await().atMost(LIMIT);

    assertThat(small.text()).isEqualTo("ping!");
    assertThat(small.property("own")).contains("kept");
    assertThat(large.body()).hasSize(21 * 5000 + 1);
    answering.close().await().atMost(LIMIT);
  }

  @Test
  void shouldSayThatAMessageIsTooLongForTheBroker() {
    MetaqClient unbounded =
        MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.namesrv()).setMaxBodyBytes(8 << 20).setCompressFromBytes(
            Integer.MAX_VALUE));

    MetaqException failure =
        catchThrowableOfType(MetaqException.class, () -> unbounded.send(Message.to(topic).body(new byte[5 << 20])).await().atMost(LIMIT));

    assertThat(failure.reason()).isEqualTo(MetaqException.Reason.REFUSED);
    assertThat(failure.code()).isEqualTo(13);
    unbounded.close().await().atMost(LIMIT);
  }

  private List<Message> read(int count) {
    return client
        .subscribe(Subscription.to(topic).from(Position.EARLIEST))
        .onItem()
        .transformToUniAndConcatenate(delivery -> delivery.ack().replaceWith(delivery.message()))
        .select()
        .first(count)
        .collect()
        .asList()
        .await()
        .atMost(LIMIT);
  }
}
