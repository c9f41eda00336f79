package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending to a cluster that has bad days. */
@Timeout(180)
class SendTest extends ClientTestBase {
  /** What fails for a reason of its own fails for that within it, on a busy machine, too. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  @Test
  void shouldDoNothingUntilSubscribedAndSendAnewEachTime() {
    Uni<SendReceipt> send = client.send(HELLO);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).isEmpty();

    SendReceipt first = send.await().atMost(LIMIT);
    SendReceipt second = send.await().atMost(LIMIT);

    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).hasSize(2);
    assertThat(first.messageId()).isNotEqualTo(second.messageId());
    assertThat(first.stage()).isEqualTo(SendReceipt.Stage.STORED);
    assertThat(first.broker()).isEqualTo(FakeCluster.BROKER);
  }

  @Test
  void shouldSpreadMessagesOverAllQueues() {
    List<SendReceipt> receipts = sendMany(20);

    assertThat(receipts).extracting(SendReceipt::queueId).containsOnly(0, 1);
    assertThat(receipts.stream().filter(receipt -> receipt.queueId() == 0)).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource({"FLUSH_DISK_TIMEOUT,FLUSH_PENDING", "SLAVE_NOT_AVAILABLE,NO_REPLICA", "FLUSH_SLAVE_TIMEOUT,REPLICATION_PENDING"})
  void shouldTellHowFarTheBrokerHadCome(ResultCode code, SendReceipt.Stage stage) {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.answer(FakeCluster.stored(call.request(), 1, 17, code));
      return true;
    });

    SendReceipt receipt = client.send(HELLO).await().atMost(LIMIT);

    assertThat(receipt.stage()).isEqualTo(stage);
    assertThat(receipt.queueOffset()).isEqualTo(17);
  }

  @Test
  void shouldRepeatARetryableAnswerWithTheSameMessageId() {
    cluster.first(2, RequestCode.SEND_MESSAGE_V2, call -> call.refuse(ResultCode.SYSTEM_BUSY.wire(), "busy"));

    SendReceipt receipt = client.send(HELLO).await().atMost(LIMIT);

    assertThat(receipt.stage()).isEqualTo(SendReceipt.Stage.STORED);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2))
        .hasSize(3)
        .allSatisfy(request -> assertThat(request.requireText("i")).contains(receipt.messageId()));
  }

  @ParameterizedTest
  @ValueSource(ints = {13, 29, 26})
  void shouldNotRepeatAnAnswerThatStays(int code) {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.refuse(code, "because");
      return true;
    });

    MetaqException failure = failure(client.send(HELLO));

    assertThat(failure.reason()).isEqualTo(Reason.REFUSED);
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.retryable()).isFalse();
    assertThat(failure.broker()).contains(FakeCluster.BROKER);
    assertThat(failure).hasMessageContaining("because");
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).hasSize(1);
  }

  @Test
  void shouldSendAgainWhenTheConnectionIsCutBeforeTheAnswer() {
    cluster.first(2, RequestCode.SEND_MESSAGE_V2, call -> call.socket().close());

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldSendAgainWhenOnlyHalfAnAnswerComes() {
    cluster.first(
        1,
        RequestCode.SEND_MESSAGE_V2,
        call -> call.socket().write(FakeCluster.half(FakeCluster.stored(call.request(), 0, 0, ResultCode.SUCCESS))).onComplete(done -> call.socket().close()));

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0\0\0\0\0", "\0\0\0\6\7\0\0\1xx", "\0\0\0\7\0\0\0\3???"})
  void shouldDropAConnectionThatSpeaksSomethingElseAndSendAgain(String garbage) {
    cluster.first(1, RequestCode.SEND_MESSAGE_V2, call -> call.socket().write(Buffer.buffer(garbage, "ISO-8859-1")));

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldSendAgainWhenTheAnswerLacksFields() {
    cluster.first(1, RequestCode.SEND_MESSAGE_V2, call -> call.answer(call.request().success()));

    assertThat(client.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldTakeAnswersInAnyOrder() {
    List<FakeCluster.Call> calls = new CopyOnWriteArrayList<>();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      calls.add(call);
      if (calls.size() == 3) {
        for (int i = 2; i >= 0; i--) {
          calls.get(i).answer(FakeCluster.stored(calls.get(i).request(), 0, calls.get(i).request().body()[0], ResultCode.SUCCESS));
        }
      }
      return true;
    });

    List<CompletableFuture<SendReceipt>> sends =
        IntStream.range(0, 3)
            .mapToObj(i -> client.send(Message.to(FakeCluster.TOPIC).body(new byte[] {(byte) i})).subscribeAsCompletionStage())
            .toList();

    for (int i = 0; i < 3; i++) {
      assertThat(sends.get(i).join().queueOffset()).isEqualTo(i);
    }
  }

  @Test
  void shouldFailWithATimeoutWhenNoAnswerComesAtAll() throws Exception {
    MetaqClient impatient = knowing(options().setRequestTimeout(Duration.ofSeconds(1)).setSendTimeout(SHORT));
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> true);

    MetaqException failure = failure(impatient.send(HELLO));

    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure.retryable()).isTrue();
    impatient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldSayWhichNameServerCannotBeReached() throws Exception {
    int port = cluster.port();
    cluster.stop();
    MetaqClient lost = client("127.0.0.1:" + port, SHORT);

    MetaqException failure = failure(lost.send(HELLO));

    assertThat(failure.reason()).isEqualTo(Reason.NO_NAME_SERVER);
    assertThat(failure).hasMessageContaining("127.0.0.1:" + port);
    lost.close().await().atMost(LIMIT);
  }

  @Test
  void shouldSendWhenTheNameServerComesUpLater() throws Exception {
    int port = cluster.port();
    cluster.stop();
    CompletableFuture<SendReceipt> send =
        client("127.0.0.1:" + port, Duration.ofSeconds(20)).send(HELLO).subscribeAsCompletionStage();

    cluster = FakeCluster.start(vertx, port);

    assertThat(send.get(60, TimeUnit.SECONDS).stage()).isEqualTo(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldAskTheNextNameServerWhenOneIsDown() throws Exception {
    FakeCluster dead = FakeCluster.start(vertx);
    String deadAddress = dead.address();
    dead.stop();
    Set<SendReceipt.Stage> stages = new HashSet<>();

    for (int i = 0; i < 6; i++) {
      MetaqClient either = client(deadAddress + ";" + cluster.address(), Duration.ofSeconds(10));
      stages.add(either.send(HELLO).await().atMost(LIMIT).stage());
      either.close().await().atMost(LIMIT);
    }

    assertThat(stages).containsOnly(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldSendToANewTopicByTheTemplateAndLearnItsRealQueues() {
    cluster.topic(Topics.TEMPLATE, 8);
    Message first = Message.to("brandNew").body("x");

    SendReceipt receipt = client.send(first).await().atMost(LIMIT);

    assertThat(receipt.topic()).isEqualTo("brandNew");
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0).requireText("c")).isEqualTo(Topics.TEMPLATE);
  }

  @Test
  void shouldSayThatATopicDoesNotExistWhenNobodyCreatesIt() {
    MetaqClient impatient = client(cluster.address(), SHORT);

    MetaqException failure = failure(impatient.send(Message.to("nowhere").body("x")));

    assertThat(failure.reason()).isEqualTo(Reason.NO_ROUTE);
    assertThat(failure).hasMessageContaining("nowhere");
    impatient.close().await().atMost(LIMIT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "../x", "ä"})
  void shouldRefuseAnIllegalTopicBeforeAnythingIsSent(String topic) {
    assertThat(failure(client.send(Message.to(topic).body("x"))).reason()).isEqualTo(Reason.INVALID);
    assertThat(cluster.requests(RequestCode.GET_ROUTEINFO_BY_TOPIC)).isEmpty();
  }

  @Test
  void shouldRefuseABodyOverTheLimitAndSendOneAtIt() {
    assertThat(failure(client.send(HELLO.body(new byte[(4 << 20) + 1]))).reason()).isEqualTo(Reason.INVALID);
    assertThat(client.send(HELLO.body(new byte[4 << 20])).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldSendAnEmptyBody() {
    assertThat(client.send(Message.to(FakeCluster.TOPIC)).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
  }

  @Test
  void shouldFailWhatIsSentAfterClosing() {
    client.send(HELLO).await().atMost(LIMIT);
    client.close().await().atMost(LIMIT);

    assertThat(failure(client.send(HELLO)).reason()).isEqualTo(Reason.CLOSED);
  }

  @Test
  void shouldWaitForMessagesOnTheirWayWhenClosing() {
    CompletableFuture<FakeCluster.Call> arrived = new CompletableFuture<>();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> arrived.complete(call));
    CompletableFuture<SendReceipt> send = client.send(HELLO).subscribeAsCompletionStage();
    FakeCluster.Call call = arrived.join();

    CompletableFuture<Void> close = client.close().subscribeAsCompletionStage();
    assertThat(close).isNotDone();
    call.answer(FakeCluster.stored(call.request(), 0, 5, ResultCode.SUCCESS));

    assertThat(send.join().queueOffset()).isEqualTo(5);
    close.join();
  }

  @Test
  void shouldAnswerOnTheCallersContext() throws Exception {
    CompletableFuture<Boolean> sameContext = new CompletableFuture<>();

    vertx.runOnContext(ignored -> {
      Context caller = Vertx.currentContext();
      client.send(HELLO).subscribe().with(receipt -> sameContext.complete(Vertx.currentContext() == caller), sameContext::completeExceptionally);
    });

    assertThat(sameContext.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldKeepOnlySoManyInFlight() {
    MetaqClient narrow = MetaqClient.create(vertx, options().setMaxInFlight(3));
    Set<FakeCluster.Call> open = ConcurrentHashMap.newKeySet();
    AtomicInteger most = new AtomicInteger();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      open.add(call);
      most.accumulateAndGet(open.size(), Math::max);
      vertx.setTimer(1, ignored -> {
        open.remove(call);
        call.answer(FakeCluster.stored(call.request(), 0, 0, ResultCode.SUCCESS));
      });
      return true;
    });

    List<SendReceipt> receipts =
        Uni.join().all(IntStream.range(0, 50).mapToObj(i -> narrow.send(HELLO)).toList()).andFailFast().await().atMost(LIMIT);

    assertThat(receipts).hasSize(50);
    assertThat(most.get()).isEqualTo(3);
    narrow.close().await().atMost(LIMIT);
  }

  @Test
  void shouldBeDoneWithAOneWayMessageWhenItHasLeft() throws Exception {
    client.sendOneWay(HELLO.key("k")).await().atMost(LIMIT);

    Await.until("the message", LIMIT, () -> !cluster.requests(RequestCode.SEND_MESSAGE_V2).isEmpty());
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0).oneway()).isTrue();
  }

  @Test
  void shouldSayThatThereIsNoConnectionForAOneWayMessage() throws Exception {
    int port = cluster.port();
    cluster.stop();
    MetaqClient lost = client("127.0.0.1:" + port, SHORT);

    assertThat(failure(lost.sendOneWay(HELLO)).reason()).isEqualTo(Reason.NO_NAME_SERVER);
    lost.close().await().atMost(LIMIT);
  }

  @Test
  void shouldSendMessagesWithOneOrderKeyToOneQueueInTheirOrder() {
    cluster.topic("wide", 7);
    List<SendReceipt> receipts =
        Uni.join()
            .all(IntStream.range(0, 60).mapToObj(i -> client.send(Message.to("wide").orderKey("k" + i % 3).body("x"))).toList())
            .andFailFast()
            .await()
            .atMost(LIMIT);

    for (int key = 0; key < 3; key++) {
      int queueId = Math.abs(("k" + key).hashCode() % 7);
      List<SendReceipt> ofKey = ofKey(receipts, key);
      assertThat(ofKey).extracting(SendReceipt::queueId).containsOnly(queueId);
      assertThat(ofKey).extracting(SendReceipt::queueOffset).isSorted();
    }
  }

  @Test
  void shouldKeepTheOrderOfAKeyWhenSomeOfItsMessagesAreCompressed() {
    byte[] large = new byte[500_000];
    List<Message> messages =
        IntStream.range(0, 20).mapToObj(i -> HELLO.orderKey("k").body(i % 4 == 0 ? large : new byte[] {(byte) i})).toList();

    List<SendReceipt> receipts = Uni.join().all(messages.stream().map(client::send).toList()).andFailFast().await().atMost(LIMIT);

    assertThat(receipts).extracting(SendReceipt::queueOffset).isSorted();
  }

  @Test
  void shouldSendToTheQueueThatIsNamedAndToNoOther() {
    TopicQueue second = new TopicQueue(FakeCluster.TOPIC, FakeCluster.BROKER, 1);
    MetaqClient impatient = client(cluster.address(), SHORT);

    for (int i = 0; i < 5; i++) {
      assertThat(client.send(Message.to(second).body("x")).await().atMost(LIMIT).queueId()).isEqualTo(1);
    }
    MetaqException failure = failure(impatient.send(Message.to(new TopicQueue(FakeCluster.TOPIC, FakeCluster.BROKER, 2)).body("x")));

    assertThat(failure.reason()).isEqualTo(Reason.NO_ROUTE);
    assertThat(failure).hasMessageContaining("queue 2").hasMessageContaining(FakeCluster.BROKER);
    impatient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldCompressALongBodyAndGiveItBackAsItWas() {
    byte[] long4096 = "a".repeat(4096).getBytes(StandardCharsets.UTF_8);
    SendReceipt longOne = client.send(HELLO.body(long4096)).await().atMost(LIMIT);
    client.send(HELLO.body("a".repeat(4095))).await().atMost(LIMIT);

    List<RemotingCommand> sent = cluster.requests(RequestCode.SEND_MESSAGE_V2);
    PullResult read =
        client
            .pull(new TopicQueue(FakeCluster.TOPIC, FakeCluster.BROKER, longOne.queueId()), longOne.queueOffset(), 1)
            .await()
            .atMost(LIMIT);

    assertThat(sent.get(0).body()).hasSizeLessThan(200);
    assertThat(sent.get(0).requireInt("f")).isEqualTo(0x301);
    assertThat(sent.get(1).body()).hasSize(4095);
    assertThat(sent.get(1).requireInt("f")).isZero();
    assertThat(read.messages().get(0).body()).isEqualTo(long4096);
  }

  @Test
  void shouldSendABodyAsItIsWhenCompressionMakesItLonger() {
    byte[] noise = new byte[5000];
    new SplittableRandom(1).nextBytes(noise);

    client.send(HELLO.body(noise)).await().atMost(LIMIT);

    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0).body()).isEqualTo(noise);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0).requireInt("f")).isZero();
  }

  @Test
  void shouldGiveAPlaceInFlightBackWhenASubscriberCancels() {
    // No time-out gives it back before.
    Duration never = Duration.ofMinutes(10);
    MetaqClient narrow = MetaqClient.create(vertx, options().setMaxInFlight(1).setRequestTimeout(never).setSendTimeout(never));
    CompletableFuture<FakeCluster.Call> held = new CompletableFuture<>();
    cluster.first(1, RequestCode.SEND_MESSAGE_V2, held::complete);
    Cancellable first = narrow.send(HELLO).subscribe().with(receipt -> {});
    held.join();
    Cancellable second = narrow.send(HELLO.body("never sent")).subscribe().with(receipt -> {});
    CompletableFuture<SendReceipt> third = narrow.send(HELLO.body("third")).subscribeAsCompletionStage();

    second.cancel();
    first.cancel();

    assertThat(third.orTimeout(60, TimeUnit.SECONDS).join().stage()).isEqualTo(SendReceipt.Stage.STORED);
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).noneMatch(request -> new String(request.body()).equals("never sent"));
    narrow.close().await().atMost(LIMIT);
  }

  @Test
  void shouldNotTryAgainWhatItsSubscriberHasCancelled() {
    CompletableFuture<Void> refused = new CompletableFuture<>();
    AtomicInteger probes = new AtomicInteger();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      boolean probe = new String(call.request().body(), StandardCharsets.UTF_8).equals("probe");
      if (probe && probes.incrementAndGet() > 5) {
        return false;
      }
      call.refuse(ResultCode.SYSTEM_BUSY.wire(), "busy");
      refused.complete(null);
      return true;
    });
    Cancellable send = client.send(HELLO).subscribe().with(receipt -> {});
    refused.join();

    send.cancel();
    client.send(HELLO.body("probe")).await().atMost(LIMIT);
    long attempts = cluster.requests(RequestCode.SEND_MESSAGE_V2).stream().filter(SendTest::isHello).count();
    probes.set(0);
    client.send(HELLO.body("probe")).await().atMost(LIMIT);

    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2).stream().filter(SendTest::isHello)).hasSize((int) attempts);
  }

  @Test
  void shouldFailWhatWaitsForRoomOrAnotherAttemptWhenClosing() {
    MetaqClient narrow = MetaqClient.create(vertx, options().setMaxInFlight(1));
    CompletableFuture<Void> refused = new CompletableFuture<>();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.refuse(ResultCode.SYSTEM_BUSY.wire(), "busy");
      refused.complete(null);
      return true;
    });
    CompletableFuture<SendReceipt> repeated = narrow.send(HELLO).subscribeAsCompletionStage();
    CompletableFuture<SendReceipt> waiting = narrow.send(HELLO).subscribeAsCompletionStage();
    refused.join();

    narrow.close().await().atMost(LIMIT);

    assertThat(reason(repeated)).isEqualTo(Reason.CLOSED);
    assertThat(reason(waiting)).isEqualTo(Reason.CLOSED);
  }

  @Test
  void shouldEndAConnectionOnWhichNothingComesSoThatItsWritesCannotPileUp() throws Exception {
    MetaqClient impatient = knowing(options().setRequestTimeout(Duration.ofSeconds(1)).setSendTimeout(SHORT));
    CompletableFuture<Void> closed = new CompletableFuture<>();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.socket().closeHandler(ignored -> closed.complete(null));
      return true;
    });

    failure(impatient.send(HELLO));

    closed.get(60, TimeUnit.SECONDS);
    impatient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldFailAllThatWaitForRoomWhenTheirTimeIsOver() throws Exception {
    int count = 50_000;
    MetaqClient narrow = knowing(options().setMaxInFlight(1).setSendTimeout(SHORT));
    Set<NetSocket> connections = ConcurrentHashMap.newKeySet();
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      connections.add(call.socket());
      return true;
    });
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger cut = new AtomicInteger();
    Set<String> others = ConcurrentHashMap.newKeySet();

    for (int i = 0; i < count; i++) {
      narrow.send(HELLO).subscribe().with(receipt -> others.add("stored"), failure -> {
        Reason reason = failure instanceof MetaqException typed ? typed.reason() : null;
        if (reason == Reason.CONNECTION) {
          cut.incrementAndGet();
        } else if (reason != Reason.TIMEOUT) {
          others.add(failure.toString());
        }
        failed.incrementAndGet();
      });
    }

    Await.until("an end of all", LIMIT, () -> failed.get() == count);
    assertThat(others).isEmpty();
    assertThat(cut.get()).as("the one under way when its connection ends, as nothing comes on it").isLessThanOrEqualTo(connections.size());
    narrow.close().await().atMost(LIMIT);
  }

  @Test
  void shouldFailAtOnceAndCloseWhenItsVertxIsClosed() {
    Vertx other = Vertx.vertx();
    MetaqClient orphan = MetaqClient.create(other, options());
    orphan.send(HELLO).await().atMost(LIMIT);
    other.close().toCompletionStage().toCompletableFuture().join();

    MetaqException failure = failure(orphan.send(HELLO));

    assertThat(failure.reason()).isEqualTo(Reason.CLOSED);
    assertThat(failure).hasMessageContaining("Vert.x");
    orphan.close().await().atMost(LIMIT);
  }

  @ParameterizedTest
  @EnumSource(value = ResultCode.class, names = {"SERVICE_NOT_AVAILABLE", "NO_PERMISSION", "TOPIC_NOT_EXIST"})
  void shouldFetchTheRouteAgainWhenABrokerDoesNotServeTheTopicAnyMore(ResultCode code) throws Exception {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      if (routeRequests() > 1) {
        return false;
      }
      call.refuse(code.wire(), "not here");
      return true;
    });

    // Before the time at which a route is renewed because it is old.
    Await.until("a send after a fresh route", LIMIT, () ->
        client.send(HELLO).map(receipt -> true).onFailure().recoverWithItem(false).await().atMost(LIMIT));

    assertThat(routeRequests()).isGreaterThan(1);
  }

  @Test
  void shouldKeepTheSendTimeoutOverANameServerThatDoesNotAnswer() {
    cluster.script(RequestCode.GET_ROUTEINFO_BY_TOPIC, call -> true);
    MetaqClient impatient =
        MetaqClient.create(
            vertx,
            options()
                .setRequestTimeout(Duration.ofMinutes(2))
                .setSendTimeout(Duration.ofMillis(300)));

    MetaqException failure = failure(impatient.send(HELLO));

    assertThat(failure.reason()).isEqualTo(Reason.TIMEOUT);
    assertThat(failure).hasMessageContaining("300 ms");
    impatient.close().await().atMost(LIMIT);
  }

  @Test
  void shouldRefuseWhatIsNull() {
    List<Message> withNull = new ArrayList<>();
    withNull.add(null);

    assertThat(List.of(
            failure(client.send(null)),
            failure(client.send(HELLO, null)),
            failure(client.sendAll(null)),
            failure(client.sendAll(withNull)),
            failure(client.recall(null)),
            failure(client.request(HELLO, null)),
            catchThrowableOfType(MetaqException.class, () -> HELLO.body((byte[]) null)),
            catchThrowableOfType(MetaqException.class, () -> HELLO.body((String) null)),
            catchThrowableOfType(MetaqException.class, () -> HELLO.key(null))))
        .extracting(MetaqException::reason)
        .containsOnly(Reason.INVALID);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "a b"})
  void shouldRefuseAProducerGroupThatCannotBe(String group) {
    MetaqClientOptions options = options().setProducerGroup(group);

    MetaqException failure = catchThrowableOfType(MetaqException.class, () -> MetaqClient.create(vertx, options));

    assertThat(failure.reason()).isEqualTo(Reason.INVALID);
  }

  private static Stream<MetaqClientOptions> unusable() {
    return Stream.of(
        new MetaqClientOptions().setRequestTimeout(Duration.ZERO),
        new MetaqClientOptions().setSendTimeout(Duration.ofSeconds(-1)),
        new MetaqClientOptions().setSendTimeout(null),
        new MetaqClientOptions().setConnectTimeout(Duration.ofDays(25)),
        new MetaqClientOptions().setRequestTimeout(Duration.ofSeconds(Long.MAX_VALUE)),
        new MetaqClientOptions().setMaxInFlight(0),
        new MetaqClientOptions().setMaxInFlightBytes(-1),
        new MetaqClientOptions().setMaxBodyBytes(0));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void shouldRefuseNumbersAndTimesThatCannotBe(MetaqClientOptions options) {
    MetaqException failure =
        catchThrowableOfType(MetaqException.class, () -> MetaqClient.create(vertx, options.setNameServers(cluster.address())));

    assertThat(failure.reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void shouldSendToABrokerThatClosesTheConnectionWithEachAnswer() {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      cluster.serve(call);
      call.socket().close();
      return true;
    });

    List<SendReceipt> receipts = sendMany(50);

    assertThat(receipts).hasSize(50).extracting(SendReceipt::messageId).doesNotHaveDuplicates();
  }

  @Test
  void shouldAskTheNextNameServerWhenOneTakesConnectionsAndNeverAnswers() throws Exception {
    try (ServerSocket blackHole = new ServerSocket(0)) {
      MetaqClient patient = MetaqClient.create(
          vertx,
          new MetaqClientOptions().setNameServers("127.0.0.1:" + blackHole.getLocalPort() + ";" + cluster.address())
              .setRequestTimeout(Duration.ofSeconds(1)));

      for (int i = 0; i < 3; i++) {
        assertThat(patient.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
      }
      patient.close().await().atMost(LIMIT);
    }
  }

  @Test
  void shouldSendToMoreTopicsThanItKeepsRoutesOf() {
    int topics = RouteCache.MAX_TOPICS + 100;
    IntStream.range(0, topics).forEach(i -> cluster.topic("t" + i, 1));

    for (int from = 0; from < topics; from += 1000) {
      List<Message> messages = IntStream.range(from, Math.min(topics, from + 1000)).mapToObj(i -> Message.to("t" + i).body("m")).toList();
      assertThat(client.sendAll(messages).await().atMost(LIMIT)).hasSameSizeAs(messages);
    }
    assertThat(client.send(Message.to("t0").body("again")).await().atMost(LIMIT).queueOffset()).isEqualTo(1);
  }

  private int routeRequests() {
    return cluster.requests(RequestCode.GET_ROUTEINFO_BY_TOPIC).size();
  }

  /** A client that knows the way, so that no slow name server makes another failure of the one that is wanted. */
  private MetaqClient knowing(MetaqClientOptions options) throws Exception {
    MetaqClient knowing = MetaqClient.create(vertx, options);
    Await.until("a message that is stored", LIMIT, () -> knowing.send(HELLO).onFailure().recoverWithNull().await().atMost(LIMIT) != null);
    return knowing;
  }

  private MetaqClient client(String nameServers, Duration sendTimeout) {
    return MetaqClient.create(vertx, options().setNameServers(nameServers).setSendTimeout(sendTimeout));
  }

  private List<SendReceipt> sendMany(int count) {
    return Uni.join().all(IntStream.range(0, count).mapToObj(i -> client.send(HELLO)).toList()).andFailFast().await().atMost(LIMIT);
  }

  private static boolean isHello(RemotingCommand request) {
    return new String(request.body(), StandardCharsets.UTF_8).equals("hello");
  }

  private static List<SendReceipt> ofKey(List<SendReceipt> receipts, int key) {
    return IntStream.range(0, receipts.size()).filter(i -> i % 3 == key).mapToObj(receipts::get).toList();
  }

  private static Reason reason(CompletableFuture<SendReceipt> failed) {
    Throwable failure = failed.handle((receipt, cause) -> cause).orTimeout(60, TimeUnit.SECONDS).join();
    return ((MetaqException) failure).reason();
  }
}
