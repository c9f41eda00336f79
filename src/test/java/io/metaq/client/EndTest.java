package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a client has under way when it, its Vert.x or its verticle goes: nothing is left that nobody ever answers. */
@Timeout(180)
class EndTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Message HELLO = Message.to(FakeCluster.TOPIC).body("hello");
  private static final TopicQueue QUEUE = new TopicQueue(FakeCluster.TOPIC, FakeCluster.BROKER, 0);

  private final Vertx clusterVertx = Vertx.vertx();
  private final Vertx vertx = Vertx.vertx();
  private FakeCluster cluster;
  private MetaqClient client;

  @BeforeEach
  void start() throws Exception {
    cluster = FakeCluster.start(clusterVertx);
    client = client(LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
    closed(vertx.close());
    closed(clusterVertx.close());
  }

  private MetaqClient client(Duration timeout) {
    return MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(cluster.address()).setRequestTimeout(timeout));
  }

  /** How it comes to an end. */
  private enum End {
    CLIENT_IS_CLOSED(test -> test.client.close().subscribeAsCompletionStage()),
    VERTX_IS_CLOSED(test -> test.vertx.close().toCompletionStage().toCompletableFuture());

    private final Function<EndTest, CompletableFuture<Void>> way;

    End(Function<EndTest, CompletableFuture<Void>> way) {
      this.way = way;
    }
  }

  /** What a client can have under way. */
  private static Map<String, Function<MetaqClient, Uni<?>>> calls() {
    Map<String, Function<MetaqClient, Uni<?>>> calls = new LinkedHashMap<>();
    calls.put("send", client -> client.send(HELLO));
    calls.put("sendAll", client -> client.sendAll(List.of(HELLO, HELLO)));
    calls.put("request", client -> client.request(HELLO, Duration.ofSeconds(40)));
    calls.put("reply", client -> client.reply(
        HELLO.with("CLUSTER", "c").with("REPLY_TO_CLIENT", "x").with("CORRELATION_ID", "y")));
    calls.put("transaction", client -> transaction(client, Uni.createFrom().item(Verdict.COMMIT)));
    calls.put("queues", client -> client.queues(FakeCluster.TOPIC));
    calls.put("pull", client -> client.pull(QUEUE, 0, 1));
    calls.put("read", client -> client.read(QUEUE, 0, 1, Duration.ofSeconds(40)));
    calls.put("offsets", client -> client.offsets(FakeCluster.TOPIC, Position.at(Instant.now())));
    calls.put("topics", client -> client.admin().topics().collect().asList());
    calls.put("group", client -> client.admin().group("g"));
    calls.put("members", client -> client.admin().members("g", Duration.ofSeconds(40)));
    calls.put("statuses", client -> client.admin().statuses());
    calls.put("figures", client -> client.admin().figures(Duration.ofMillis(100)).collect().asList());
    calls.put("browse", client -> client.admin().browse(FakeCluster.TOPIC, Position.EARLIEST, 3));
    calls.put("resetGroup", client -> client.admin().resetGroup("g", FakeCluster.TOPIC, Position.EARLIEST));
    calls.put("messageByUniqueId", client -> client.admin().messageByUniqueId(FakeCluster.TOPIC, "id"));
    calls.put("subscribe alone", client -> client.subscribe(Subscription.to(FakeCluster.TOPIC)).collect().asList());
    calls.put("subscribe", client -> client.subscribe(Subscription.to(FakeCluster.TOPIC).group("g")).collect().asList());
    calls.put("consume", client ->
        client.consume(Subscription.to(FakeCluster.TOPIC).group("h"), 1, delivery -> Uni.createFrom().nothing()));
    return calls;
  }

  private static Uni<TransactionReceipt> transaction(MetaqClient client, Uni<Verdict> work) {
    return client.transaction("payers", message -> Uni.createFrom().nothing()).send(HELLO, receipt -> work);
  }

  /** How far the calls come: to the name server, to a broker that does not answer, to one that is always busy. */
  private enum Trouble {
    NO_ANSWERS(code -> true, unanswered -> {}),
    NO_ANSWERS_OF_BROKERS(Trouble::isForBrokers, unanswered -> {}),
    BUSY_BROKERS(Trouble::isForBrokers, asked -> asked.refuse(ResultCode.SYSTEM_BUSY.wire(), "busy"));

    private final Predicate<RequestCode> what;
    private final Consumer<FakeCluster.Call> instead;

    Trouble(Predicate<RequestCode> what, Consumer<FakeCluster.Call> instead) {
      this.what = what;
      this.instead = instead;
    }

    void begin(FakeCluster cluster) {
      Stream.of(RequestCode.values()).filter(what).forEach(code -> cluster.script(code, call -> {
        instead.accept(call);
        return true;
      }));
    }

    private static boolean isForBrokers(RequestCode code) {
      return code != RequestCode.GET_ROUTEINFO_BY_TOPIC && code != RequestCode.GET_BROKER_CLUSTER_INFO;
    }
  }

  private static Stream<Arguments> troublesAndEnds() {
    return Stream.of(Trouble.values()).flatMap(trouble -> Stream.of(End.values()).map(end -> Arguments.of(trouble, end)));
  }

  @ParameterizedTest
  @MethodSource("troublesAndEnds")
  void shouldEndEverythingTyped(Trouble trouble, End end) throws Exception {
    trouble.begin(cluster);
    client = client(Duration.ofSeconds(1));
    Map<String, CompletableFuture<?>> underWay = new LinkedHashMap<>();
    calls().forEach((name, call) -> underWay.put(name, call.apply(client).subscribeAsCompletionStage()));
    Await.until("requests", LIMIT, () -> cluster.wasAsked());

    end.way.apply(this).get(60, TimeUnit.SECONDS);

    underWay.forEach((name, call) -> assertThat(failure(call)).as(name).satisfiesAnyOf(
        ended -> assertThat(ended).isNull(), ended -> assertThat(ended).isInstanceOf(MetaqException.class)));
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void shouldEndSendsThatWaitForRoomOrForAnotherAttempt(End end) throws Exception {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.refuse(ResultCode.SYSTEM_BUSY.wire(), "busy");
      return true;
    });
    client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(cluster.address()).setMaxInFlight(1));
    CompletableFuture<SendReceipt> waits = client.send(HELLO).subscribeAsCompletionStage();

    CompletableFuture<SendReceipt> later = client.send(HELLO).subscribeAsCompletionStage();
    Await.until("an attempt", LIMIT, () -> !cluster.requests(RequestCode.SEND_MESSAGE_V2).isEmpty());

    end.way.apply(this).get(60, TimeUnit.SECONDS);

    assertThat(reason(later)).isEqualTo(MetaqException.Reason.CLOSED);
    assertThat(reason(waits)).isEqualTo(MetaqException.Reason.CLOSED);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void shouldEndATransactionWhoseWorkNeverEnds(End end) throws Exception {
    CompletableFuture<Verdict> work = new CompletableFuture<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();

    CompletableFuture<?> waits = transaction(client, Uni.createFrom().completionStage(() -> {
      begun.complete(null);
      return work;
    })).subscribeAsCompletionStage();
    begun.get(60, TimeUnit.SECONDS);

    end.way.apply(this).get(60, TimeUnit.SECONDS);
    work.complete(Verdict.COMMIT);

    assertThat(reason(waits)).isEqualTo(MetaqException.Reason.CLOSED);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void shouldEndTheSettlementOfADelivery(End end) throws Exception {
    cluster.store(FakeCluster.TOPIC, 0, "m", Map.of("UNIQ_KEY", "id"), 0);
    cluster.script(RequestCode.CONSUMER_SEND_MSG_BACK, unanswered -> true);
    client = client(Duration.ofSeconds(5));
    Taker taker = new Taker(1);
    client.subscribe(Subscription.to(FakeCluster.TOPIC).group("g").from(Position.EARLIEST)).subscribe().withSubscriber(taker);
    Delivery delivery = taker.next(1).get(0);

    CompletableFuture<Void> waits = delivery.nack().subscribeAsCompletionStage();
    Await.until("the message is sent back", LIMIT, () -> !cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK).isEmpty());

    end.way.apply(this).get(60, TimeUnit.SECONDS);

    assertThat(failure(waits)).isInstanceOf(MetaqException.class);
    assertThat(reason(delivery.nack().subscribeAsCompletionStage())).isEqualTo(MetaqException.Reason.CLOSED);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void shouldEndFiguresThatNobodyWantsJustNow(End end) throws Exception {
    AssertSubscriber<List<BrokerStatus>> calm =
        client.admin().figures(Duration.ofMillis(100)).subscribe().withSubscriber(AssertSubscriber.create(0));
    client.queues(FakeCluster.TOPIC).await().atMost(LIMIT);

    end.way.apply(this).get(60, TimeUnit.SECONDS);

    assertThat(calm.awaitFailure(LIMIT).getFailure()).isInstanceOfSatisfying(
        MetaqException.class, failure -> assertThat(failure.reason()).isEqualTo(MetaqException.Reason.CLOSED));
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void shouldRefuseEverythingAfterwards(End end) {
    client.send(HELLO).await().atMost(LIMIT);
    end.way.apply(this).join();

    calls().forEach((call, made) ->
        assertThat(reason(made.apply(client).subscribeAsCompletionStage())).as(call).isEqualTo(MetaqException.Reason.CLOSED));
    client.close().await().atMost(LIMIT);
  }

  @Test
  void shouldCloseWithTheVerticleItWasMadeIn() throws Exception {
    CompletableFuture<MetaqClient> made = new CompletableFuture<>();
    Supplier<AbstractVerticle> application = () -> new AbstractVerticle() {
      @Override
      public void start() {
        made.complete(client(LIMIT));
      }
    };
    String verticle = closed(vertx.deployVerticle(application, new DeploymentOptions()));
    MetaqClient inside = made.get(60, TimeUnit.SECONDS);
    CompletableFuture<List<Delivery>> reading =
        inside.subscribe(Subscription.to(FakeCluster.TOPIC).group("g")).collect().asList().subscribeAsCompletionStage();
    Await.until("a member", LIMIT, () -> !cluster.requests(RequestCode.PULL_MESSAGE).isEmpty());

    closed(vertx.undeploy(verticle));

    assertThat(reading.get(60, TimeUnit.SECONDS)).isEmpty();
    assertThat(cluster.offset("g", FakeCluster.TOPIC, 0)).isZero();
    assertThat(cluster.requests(RequestCode.UNREGISTER_CLIENT)).isNotEmpty();
    assertThat(reason(inside.send(HELLO).subscribeAsCompletionStage())).isEqualTo(MetaqException.Reason.CLOSED);
    client.send(HELLO).await().atMost(LIMIT);
  }

  @Test
  void shouldLeaveNothingBehindInItsVertx() throws Exception {
    client.close().await().atMost(LIMIT);

    Await.until("no deployment", LIMIT, () -> vertx.deploymentIDs().isEmpty());
  }

  /** What it failed with, null where it came to a good end; fails itself when it does not end. */
  private static Throwable failure(CompletableFuture<?> call) {
    Throwable failure = call.<Throwable>handle((item, failed) -> failed).orTimeout(60, TimeUnit.SECONDS).join();
    return failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
  }

  private static MetaqException.Reason reason(CompletableFuture<?> call) {
    Throwable failure = failure(call);
    assertThat(failure).isInstanceOf(MetaqException.class);
    return ((MetaqException) failure).reason();
  }

  private static <T> T closed(Future<T> done) throws Exception {
    return done.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
