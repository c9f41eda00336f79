package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Name servers and brokers that answer anything at all: every call has its typed end, and the client goes on with servers that are well. */
@Timeout(120)
class HostileServersTest extends ClientTestBase {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final TopicQueue QUEUE = new TopicQueue(TOPIC, FakeCluster.BROKER, 0);
  private static final List<String> BODIES = List.of(
      "", "{", "null", "[]", "{}", "[[[[[[[[", "\"x\"", "17", "{\"offset\":\"x\"}", "{\"brokerDatas\":null,\"queueDatas\":7}",
      "{\"brokerDatas\":[{\"brokerAddrs\":{\"0\":\"nonsense\"},\"brokerName\":null}],\"queueDatas\":[{\"brokerName\":\"b0\",\"readQueueNums\":-1}]}",
      "{\"brokerAddrTable\":{\"b\":null},\"clusterAddrTable\":[]}", "{\"consumerIdList\":{}}", "{\"table\":{\"putTps\":{}}}",
      "{\"topicConfigTable\":{\"a\":{\"topicName\":7}}}", "{\"offsetTable\":{{\"topic\":\"T\"}:{}}}", "{\"connectionSet\":[{}]}",
      "{\"a\":".repeat(5_000), "\u0000\u0001\u0002\u0003", "x".repeat(100_000));
  private static final List<String> FIELDS = List.of(
      "offset", "nextBeginOffset", "minOffset", "maxOffset", "suggestWhichBrokerId", "msgId", "queueId", "queueOffset", "recallHandle");
  private static final List<String> NUMBERS =
      List.of("", "x", "-1", "0", "1", "2147483648", "-9223372036854775808", "9223372036854775807", "99999999999999999999");

  @Override
  MetaqClientOptions options() {
    return super.options().setRequestTimeout(SHORT).setSendTimeout(Duration.ofSeconds(1));
  }

  static LongStream seeds() {
    return LongStream.range(0, 8);
  }

  private static Map<String, Function<MetaqClient, Uni<?>>> calls() {
    Map<String, Function<MetaqClient, Uni<?>>> calls = new LinkedHashMap<>();
    calls.put("send", client -> client.send(HELLO));
    calls.put("sendAll", client -> client.sendAll(List.of(HELLO, HELLO)));
    calls.put("request", client -> client.request(HELLO, SHORT));
    calls.put("transaction", client -> client.transaction("p", message -> Uni.createFrom().item(Verdict.COMMIT))
        .send(HELLO, receipt -> Uni.createFrom().item(Verdict.COMMIT)));
    calls.put("queues", client -> client.queues(TOPIC));
    calls.put("pull", client -> client.pull(QUEUE, 0, 8));
    calls.put("offsets", client -> client.offsets(TOPIC, Position.at(Instant.EPOCH)));
    calls.put("brokers", client -> client.admin().brokers().collect().asList());
    calls.put("statuses", client -> client.admin().statuses());
    calls.put("producers", client -> client.admin().producers().collect().asList());
    calls.put("settings", client -> client.admin().brokerSettings("b0", 0));
    calls.put("change", client -> client.admin().changeBrokerSettings("b0", 0, Map.of("a", "b")));
    calls.put("topics", client -> client.admin().topics().collect().asList());
    calls.put("topic", client -> client.admin().topic(TOPIC));
    calls.put("putTopic", client -> client.admin().putTopic(TopicSettings.of("U"), Optional.empty(), Optional.empty()));
    calls.put("deleteTopic", client -> client.admin().deleteTopic(TOPIC));
    calls.put("readers", client -> client.admin().readers(TOPIC, 5));
    calls.put("groups", client -> client.admin().groups().collect().asList());
    calls.put("group", client -> client.admin().group("g"));
    calls.put("members", client -> client.admin().members("g", SHORT));
    calls.put("putGroup", client -> client.admin().putGroup("g", 1, true, Optional.empty(), Optional.empty()));
    calls.put("deleteGroup", client -> client.admin().deleteGroup("g"));
    calls.put("reset", client -> client.admin().resetGroup("g", TOPIC, Position.EARLIEST));
    calls.put("resetQueue", client -> client.admin().resetGroup("g", QUEUE, 0));
    calls.put("byKey", client -> client.admin().messagesByKey(TOPIC, "k", 5));
    calls.put("byId", client -> client.admin().messageByUniqueId(TOPIC, "K"));
    calls.put("at", client -> client.admin().messagesAt(QUEUE, 0, 5));
    calls.put("since", client -> client.admin().messagesSince(TOPIC, Instant.EPOCH, 5));
    calls.put("browse", client -> client.admin().browse(TOPIC, Position.EARLIEST, 5));
    return calls;
  }

  /** What it does with each request goes by its random numbers; what it can break is left well often enough to come to the next question. */
  private static void hostile(FakeCluster cluster, Random random) {
    for (RequestCode code : RequestCode.values()) {
      boolean way = code == RequestCode.GET_ROUTEINFO_BY_TOPIC || code == RequestCode.GET_BROKER_CLUSTER_INFO;
      cluster.script(code, call -> {
        if (random.nextInt(4) < (way ? 3 : 1)) {
          return false;
        }
        answer(call, random);
        return true;
      });
    }
  }

  private static void answer(FakeCluster.Call call, Random random) {
    RemotingCommand request = call.request();
    switch (random.nextInt(12)) {
      case 0 -> call.refuse(random.nextInt(5_000), "a code of its own");
      case 1 -> call.refuse(-random.nextInt(5), null);
      case 2 -> call.socket().close();
      case 3 -> {
        call.socket().write(FakeCluster.half(request.success()));
        if (isRead(request)) {
          call.socket().close();
        }
      }
      case 4 -> call.socket().write(Buffer.buffer(new byte[] {0, 0, 0, 8, 9, 9, 9, 9, 9, 9, 9, 9}));
      case 5 -> {
        if (isRead(request)) {
          call.socket().close();
        }
      }
      default -> {
        RemotingCommand answer = request.success();
        FIELDS.forEach(field -> {
          if (random.nextInt(3) > 0) {
            answer.ext(field, NUMBERS.get(random.nextInt(NUMBERS.size())));
          }
        });
        call.answer(answer.body(BODIES.get(random.nextInt(BODIES.size())).getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  /** One that is not answered is given half a minute, for brokers hold it: a test has no time for that. */
  private static boolean isRead(RemotingCommand request) {
    return request.code() == RequestCode.PULL_MESSAGE.wire();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldEndEveryCallTypedWhateverServersAnswer(long seed) throws Exception {
    Random random = new Random(seed);
    hostile(cluster, random);
    Map<String, CompletableFuture<?>> open = new LinkedHashMap<>();
    calls().forEach((name, call) -> open.put(name, call.apply(client).subscribeAsCompletionStage().toCompletableFuture()));

    for (Map.Entry<String, CompletableFuture<?>> one : open.entrySet()) {
      try {
        one.getValue().get(60, TimeUnit.SECONDS);
      } catch (ExecutionException failed) {
        assertThat(failed.getCause()).as("%s with seed %d", one.getKey(), seed).isInstanceOfSatisfying(MetaqException.class, failure ->
            assertThat(failure.reason()).as("%s with seed %d: %s", one.getKey(), seed, failure).isNotEqualTo(MetaqException.Reason.HANDLER));
      }
    }

    for (RequestCode code : RequestCode.values()) {
      cluster.noScript(code);
    }
    ConsumerTestBase.until(() -> {
      try {
        return client.send(HELLO).await().atMost(LIMIT).stage() == SendReceipt.Stage.STORED;
      } catch (MetaqException stillBroken) {
        return false;
      }
    });
  }

  /** A member goes on as well, and its stream never ends by what a broker says. */
  @ParameterizedTest
  @MethodSource("seeds")
  void shouldDeliverEverythingOnceServersAreWell(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 20; i++) {
      cluster.store(TOPIC, i % 2, "m" + i, Map.of(), 0);
    }
    Taker taker = new Taker(Long.MAX_VALUE);
    client.subscribe(Subscription.to(TOPIC).group("g").from(Position.EARLIEST)).subscribe().withSubscriber(taker);
    ConsumerTestBase.until(() -> taker.waiting() > 0);
    hostile(cluster, random);
    cluster.cutAll();
    ConsumerTestBase.until(() -> cluster.requests(RequestCode.PULL_MESSAGE).size() > 8);
    for (RequestCode code : RequestCode.values()) {
      cluster.noScript(code);
    }
    for (int i = 20; i < 40; i++) {
      cluster.store(TOPIC, i % 2, "m" + i, Map.of(), 0);
    }

    Set<String> texts = new HashSet<>();
    while (texts.size() < 40) {
      texts.add(taker.next(1).get(0).message().text());
    }
  }

  @Test
  void shouldAskAgainWhenThereIsNoSuchNextOffset() {
    cluster.store(TOPIC, 0, "m", Map.of(), 0);
    cluster.first(2, RequestCode.PULL_MESSAGE, call ->
        call.answer(FakeCluster.pulled(call.request(), ResultCode.PULL_NOT_FOUND, -7, 1)));
    Taker taker = new Taker(1);

    client.subscribe(Subscription.to(TOPIC).from(Position.EARLIEST)).subscribe().withSubscriber(taker);

    assertThat(taker.next(1).get(0).message().text()).isEqualTo("m");
  }

  @Test
  void shouldAskTheNextNameServerWhenOneAnswersWhatCannotBeRead() throws Exception {
    FakeCluster mad = FakeCluster.start(vertx);
    for (RequestCode code : List.of(RequestCode.GET_ROUTEINFO_BY_TOPIC, RequestCode.GET_BROKER_CLUSTER_INFO)) {
      mad.script(code, call -> {
        call.answer(call.request().success().body("<html>".getBytes(StandardCharsets.UTF_8)));
        return true;
      });
    }
    for (int i = 0; i < 6; i++) {
      MetaqClient either = MetaqClient.create(vertx, options().setNameServers(mad.address() + ";" + cluster.address()));
      assertThat(either.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
      either.close().await().atMost(LIMIT);
    }
    mad.script(RequestCode.GET_ROUTEINFO_BY_TOPIC, call -> {
      call.refuse(ResultCode.SYSTEM_ERROR.wire(), "out of order");
      return true;
    });
    for (int i = 0; i < 6; i++) {
      MetaqClient either = MetaqClient.create(vertx, options().setNameServers(mad.address() + ";" + cluster.address()));
      assertThat(either.send(HELLO).await().atMost(LIMIT).stage()).isEqualTo(SendReceipt.Stage.STORED);
      either.close().await().atMost(LIMIT);
    }
    MetaqClient alone = MetaqClient.create(vertx, options().setNameServers(mad.address()));
    assertThat(failure(alone.queues(TOPIC)).reason()).isEqualTo(MetaqException.Reason.REFUSED);
    assertThat(failure(alone.admin().statuses()).reason()).isEqualTo(MetaqException.Reason.NO_NAME_SERVER);
    alone.close().await().atMost(LIMIT);
    mad.stop();
  }
}
