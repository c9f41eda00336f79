package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.remoting.ClientBodies;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reading from a cluster that has bad days, alone and as a member of a group. */
@Timeout(180)
class SubscribeTest extends ConsumerTestBase {
  @Test
  void shouldDeliverEverythingOfEveryQueueInItsOrder() {
    fill(0, 100);
    fill(1, 70);

    Taker taker = take(MEMBER, Long.MAX_VALUE);

    List<Delivery> all = taker.next(170);
    assertThat(all.stream().filter(d -> d.queueId() == 0).map(Delivery::queueOffset)).isSorted().hasSize(100);
    assertThat(all.stream().filter(d -> d.queueId() == 1).map(Delivery::queueOffset)).isSorted().hasSize(70);
    assertThat(all.get(0).broker()).isEqualTo(FakeCluster.BROKER);
  }

  @Test
  void shouldDeliverNoMoreThanRequestedAndReadNoFurtherAheadThanTheWindow() {
    fill(0, 500);
    fill(1, 500);

    Taker taker = take(MEMBER.readAhead(20), 3);
    taker.next(3);
    until(() -> pulledUpTo(0) + pulledUpTo(1) >= 40);

    assertThat(taker.waiting()).isZero();
    assertThat(pulledUpTo(0)).isLessThanOrEqualTo(20 + 3);
    assertThat(pulledUpTo(1)).isLessThanOrEqualTo(20 + 3);
    taker.request(5);
    taker.next(5);
    assertThat(taker.waiting()).isZero();
  }

  @Test
  void shouldReadNothingBeforeTheFirstRequestButBeAMember() {
    fill(0, 10);

    Taker taker = take(MEMBER, 0);
    until(() -> !cluster.requests(RequestCode.QUERY_CONSUMER_OFFSET).isEmpty());

    assertThat(cluster.requests(RequestCode.HEART_BEAT)).isNotEmpty();
    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
    taker.request(1);
    taker.next(1);
  }

  @Test
  void shouldFailASubscriberThatRequestsNothing() {
    Taker taker = take(MEMBER, 0);

    taker.request(0);

    assertThat(taker.failure()).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("3.9");
  }

  @Test
  void shouldStopReadingAQueueWithTooManyOpenMessages() {
    fill(0, 500);

    Taker taker = take(MEMBER.readAhead(10).maxUnsettled(30), Long.MAX_VALUE);
    List<Delivery> open = taker.next(30);
    assertThat(pulledUpTo(0)).isLessThanOrEqualTo(40);
    open.forEach(delivery -> await(delivery.ack()));

    taker.next(30);
  }

  @Test
  void shouldStoreProgressOnlyUpToTheOldestOpenMessage() {
    fill(0, 10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> all = taker.next(10);

    await(all.get(1).ack());
    await(all.get(0).ack());
    await(all.get(5).ack());

    until(() -> Long.valueOf(2).equals(cluster.offset(GROUP, TOPIC, 0)));
    for (Delivery delivery : all) {
      await(delivery.ack());
    }
    until(() -> Long.valueOf(10).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldNeverLetOlderProgressOvertakeNewer() {
    fill(0, 10);
    List<FakeCluster.Call> held = new CopyOnWriteArrayList<>();
    cluster.script(RequestCode.UPDATE_CONSUMER_OFFSET, call -> call.request().requireInt("queueId") == 0 && held.add(call));
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> all = taker.next(10);
    until(() -> !held.isEmpty());

    all.forEach(delivery -> await(delivery.ack()));
    taker.cancel();
    until(() -> Long.valueOf(0).equals(cluster.offset(GROUP, TOPIC, 1)));

    assertThat(held).as("the first request is not answered, so no other is sent").hasSize(1);
    cluster.noScript(RequestCode.UPDATE_CONSUMER_OFFSET);
    cluster.serve(held.get(0));
    until(() -> Long.valueOf(10).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldGoOnWhereTheGroupHasStopped() {
    fill(0, 10);
    cluster.offset(GROUP, TOPIC, 0, 7);

    Taker taker = take(MEMBER, Long.MAX_VALUE);

    assertThat(taker.next(3)).extracting(Delivery::queueOffset).containsExactly(7L, 8L, 9L);
  }

  @Test
  void shouldStoreProgressAndLeaveTheGroupWhenTheSubscriberCancels() {
    fill(0, 10);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> all = taker.next(10);
    all.subList(0, 4).forEach(delivery -> await(delivery.ack()));

    taker.cancel();

    until(() -> !cluster.requests(RequestCode.UNREGISTER_CLIENT).isEmpty());
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(4);
    assertThat(failure(all.get(5).ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    assertThat(take(MEMBER, Long.MAX_VALUE).next(6)).extracting(Delivery::queueOffset).startsWith(4L);
  }

  @Test
  void shouldBeginAtTheEndWithLatestAndAtTheBeginningOfQueuesThatComeLater() {
    fill(0, 10);
    Taker taker = take(MEMBER.from(Position.LATEST), Long.MAX_VALUE);
    until(() -> Long.valueOf(10).equals(cluster.offset(GROUP, TOPIC, 0)));

    cluster.store(TOPIC, 0, "new", Map.of(), 0);

    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(10L);
  }

  @Test
  void shouldReadATopicThatComesLaterFromItsFirstMessageEvenWithLatest() {
    cluster.noTopic(TOPIC);
    Taker taker = take(MEMBER.from(Position.LATEST), Long.MAX_VALUE);
    until(() -> cluster.requests(RequestCode.GET_ROUTEINFO_BY_TOPIC).size() >= 2);

    fill(0, 3);
    cluster.topic(TOPIC, 1);

    assertThat(taker.next(3)).extracting(Delivery::queueOffset).containsExactly(0L, 1L, 2L);
  }

  @Test
  void shouldAskTheBrokerWhereATimeIs() {
    fill(0, 10);
    cluster.script(RequestCode.SEARCH_OFFSET_BY_TIMESTAMP, call -> {
      call.answer(call.request().success().ext("offset", call.request().requireLong("timestamp") == 4711 ? 6 : 0));
      return true;
    });

    Taker taker = take(ALONE.from(Position.at(Instant.ofEpochMilli(4711))), Long.MAX_VALUE);

    assertThat(taker.next(4)).extracting(Delivery::queueOffset).containsExactly(6L, 7L, 8L, 9L);
  }

  @Test
  void shouldDeliverOnlyTheTagsAskedForAlthoughHashesCollide() {
    cluster.store(TOPIC, 0, "wanted", Map.of("TAGS", "Aa"), 0);
    cluster.store(TOPIC, 0, "collides", Map.of("TAGS", "BB"), 0);
    cluster.store(TOPIC, 0, "none", Map.of(), 0);
    cluster.store(TOPIC, 0, "also wanted", Map.of("TAGS", "c"), 0);

    Taker taker = take(MEMBER.tags("Aa", "c"), Long.MAX_VALUE);

    assertThat(taker.next(2)).extracting(delivery -> delivery.message().text()).containsExactly("wanted", "also wanted");
    taker.all().forEach(delivery -> await(delivery.ack()));
    until(() -> Long.valueOf(4).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldSendBackWithTheDelayAskedFor() {
    fill(0, 3);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> all = taker.next(3);

    await(all.get(0).nack());
    await(all.get(1).nack(Duration.ofSeconds(7)));
    await(all.get(2).nack(Duration.ofSeconds(-1)));

    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK))
        .extracting(request -> request.requireInt("delayLevel"))
        .containsExactly(0, 3, -1);
    RemotingCommand first = cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK).get(0);
    assertThat(first.requireLong("offset")).isEqualTo(1000);
    assertThat(first.requireText("group")).isEqualTo(GROUP);
    assertThat(first.requireText("originTopic")).isEqualTo(TOPIC);
    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldSendBackWithTheLongestDelayWhenAskedForAnAbsurdOne() {
    fill(0, 1);
    Delivery delivery = take(MEMBER, Long.MAX_VALUE).next(1).get(0);

    await(delivery.nack(Duration.ofSeconds(Long.MAX_VALUE)));

    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).extracting(request -> request.requireInt("delayLevel"))
        .containsExactly(18);
  }

  @Test
  void shouldSettleOnceOnly() {
    fill(0, 2);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> both = taker.next(2);

    await(both.get(0).ack());
    await(both.get(0).ack());
    assertThat(failure(both.get(0).nack()).reason()).isEqualTo(Reason.ALREADY_SETTLED);
    await(both.get(1).nack());
    assertThat(failure(both.get(1).ack()).reason()).isEqualTo(Reason.ALREADY_SETTLED);
    assertThat(failure(both.get(1).nack()).reason()).isEqualTo(Reason.ALREADY_SETTLED);
  }

  @Test
  void shouldLeaveAMessageOpenWhenItCannotBeSentBack() {
    fill(0, 1);
    cluster.first(1, RequestCode.CONSUMER_SEND_MSG_BACK, call -> call.refuse(1, "not now"));
    Delivery delivery = take(MEMBER, Long.MAX_VALUE).next(1).get(0);

    assertThat(failure(delivery.nack()).code()).isEqualTo(1);
    await(delivery.nack());

    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldHandOverItsShareWhenAnotherMemberComes() {
    fill(0, 5);
    fill(1, 5);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    List<Delivery> all = taker.next(10);
    Delivery open = all.stream().filter(d -> d.queueId() == 1 && d.queueOffset() == 3).findFirst().orElseThrow();
    all.stream().filter(d -> d.queueOffset() < 3).forEach(delivery -> await(delivery.ack()));

    cluster.script(RequestCode.CONSUMER_SEND_MSG_BACK, call -> {
      call.refuse(1, "not now");
      return true;
    });

    cluster.member("0 comes first", GROUP);

    // Sorted before this client, the new member gets queue 0.
    Delivery lost = all.stream().filter(d -> d.queueId() == 0 && d.queueOffset() == 3).findFirst().orElseThrow();
    until(() -> failure(lost.nack()).reason() == Reason.QUEUE_LOST);
    assertThat(failure(lost.ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));
    await(open.ack());
    cluster.noMember("0 comes first", GROUP);
    assertThat(taker.next(2)).extracting(Delivery::queueOffset).containsExactly(3L, 4L);
  }

  @Test
  void shouldTakeRetriedMessagesToTheSubscriberOfTheirTopic() {
    cluster.topic("%RETRY%g", 1);
    cluster.store("%RETRY%g", 0, "again", Map.of("RETRY_TOPIC", TOPIC, "UNIQ_KEY", "id1"), 0);

    Delivery delivery = take(MEMBER, Long.MAX_VALUE).next(1).get(0);

    assertThat(delivery.message().topic()).isEqualTo(TOPIC);
    assertThat(delivery.messageId()).isEqualTo("id1");
    await(delivery.ack());
    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, "%RETRY%g", 0)));
  }

  @Test
  void shouldSendBackARetriedMessageWithTheLimitOfItsTopicsSubscriber() {
    cluster.topic("U", 1);
    cluster.topic("%RETRY%g", 1);
    Taker first = take(MEMBER.maxRetries(2), Long.MAX_VALUE);
    Taker second = take(Subscription.to("U").group(GROUP).maxRetries(7), Long.MAX_VALUE);
    cluster.store("%RETRY%g", 0, "again", Map.of("RETRY_TOPIC", TOPIC, "UNIQ_KEY", "id1"), 0);
    cluster.store("%RETRY%g", 0, "again", Map.of("RETRY_TOPIC", "U", "UNIQ_KEY", "id2"), 0);

    await(first.next(1).get(0).nack());
    await(second.next(1).get(0).nack());

    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK))
        .extracting(request -> request.requireText("originTopic") + " " + request.requireInt("maxReconsumeTimes"))
        .containsExactly(TOPIC + " 2", "U 7");
  }

  @Test
  void shouldReadMoreTopicsThanItKeepsRoutesOfForSending() {
    int topics = RouteCache.MAX_TOPICS + 50;
    IntStream.range(0, topics).forEach(i -> cluster.topic("t" + i, 1));
    List<Taker> takers = new ArrayList<>();
    for (int i = 0; i < topics; i++) {
      Taker taker = new Taker(Long.MAX_VALUE);
      takers.add(taker);
      client.subscribe(Subscription.to("t" + i).from(Position.EARLIEST)).subscribe().withSubscriber(taker);
    }
    until(() -> cluster.requests(RequestCode.PULL_MESSAGE).size() >= topics);

    cluster.cutAll();
    for (int i = 0; i < topics; i += 500) {
      cluster.store("t" + i, 0, "m", Map.of("UNIQ_KEY", "id"), 0);
      takers.get(i).next(1);
    }
  }

  @Test
  void shouldNotAskWithoutAPauseABrokerThatHoldsNoPull() {
    cluster.topic(TOPIC, 1);
    AtomicInteger pulls = new AtomicInteger();
    cluster.script(RequestCode.PULL_MESSAGE, call -> {
      pulls.incrementAndGet();
      call.answer(call.request().response(ResultCode.PULL_NOT_FOUND, "nothing")
          .ext("suggestWhichBrokerId", 0).ext("nextBeginOffset", 0).ext("minOffset", 0).ext("maxOffset", 0));
      return true;
    });

    take(MEMBER, Long.MAX_VALUE);
    until(() -> pulls.get() > 5);
    int heard = cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size();
    cluster.member("z comes last", GROUP);
    until(() -> cluster.requests(RequestCode.GET_CONSUMER_LIST_BY_GROUP).size() > heard);

    assertThat(pulls.get()).isLessThan(1000);
  }

  @Test
  void shouldSendBackARetriedMessageOfATopicThatNobodyReadsHere() {
    cluster.topic("%RETRY%g", 1);
    cluster.store("%RETRY%g", 0, "again", Map.of("RETRY_TOPIC", "other"), 0);

    take(MEMBER, Long.MAX_VALUE);

    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, "%RETRY%g", 0)));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).hasSize(1);
  }

  @Test
  void shouldSendBackTheRetriedMessagesOfASubscriberThatLeaves() {
    cluster.topic("U", 1);
    cluster.topic("%RETRY%g", 1);
    Taker staying = take(MEMBER, Long.MAX_VALUE);
    Taker leaving = take(Subscription.to("U").group(GROUP), 1);
    until(() -> client.membership(GROUP).status().await().atMost(LIMIT).queues().size() == 4);
    cluster.store("%RETRY%g", 0, "in hand", Map.of("RETRY_TOPIC", "U"), 0);
    cluster.store("%RETRY%g", 0, "waits", Map.of("RETRY_TOPIC", "U"), 0);
    cluster.store("%RETRY%g", 0, "stays", Map.of("RETRY_TOPIC", TOPIC), 0);
    Delivery inHand = leaving.next(1).get(0);
    Delivery stays = staying.next(1).get(0);

    leaving.cancel();

    until(() -> cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK).size() == 2);
    until(() -> Long.valueOf(2).equals(cluster.offset(GROUP, "%RETRY%g", 0)));
    assertThat(failure(inHand.ack()).reason()).isEqualTo(Reason.QUEUE_LOST);
    await(stays.ack());
    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, "%RETRY%g", 0)));
  }

  @Test
  void shouldSendBackAgainWhatASubscriberThatLeftCouldNotSendBack() {
    cluster.topic("U", 1);
    cluster.topic("%RETRY%g", 1);
    take(MEMBER, Long.MAX_VALUE);
    Taker leaving = take(Subscription.to("U").group(GROUP), 1);
    until(() -> client.membership(GROUP).status().await().atMost(LIMIT).queues().size() == 4);
    cluster.store("%RETRY%g", 0, "in hand", Map.of("RETRY_TOPIC", "U"), 0);
    Delivery inHand = leaving.next(1).get(0);
    List<FakeCluster.Call> held = new CopyOnWriteArrayList<>();
    cluster.script(RequestCode.CONSUMER_SEND_MSG_BACK, call -> held.isEmpty() && held.add(call));
    inHand.nack().subscribe().with(done -> {}, failure -> {});
    until(() -> !held.isEmpty());

    leaving.cancel();
    assertThat(failure(client.queues("nowhere")).reason()).isEqualTo(Reason.NO_ROUTE);
    held.get(0).refuse(1, "not now");

    until(() -> Long.valueOf(1).equals(cluster.offset(GROUP, "%RETRY%g", 0)));
    assertThat(cluster.requests(RequestCode.CONSUMER_SEND_MSG_BACK)).hasSize(2);
  }

  @Test
  void shouldLoseAndDoubleNothingWhenConnectionsBreakAndAnswersAreCut() {
    fill(0, 200);
    fill(1, 200);
    int[] pulls = new int[1];
    cluster.script(RequestCode.PULL_MESSAGE, call -> {
      pulls[0]++;
      if (pulls[0] % 3 == 0 && pulls[0] < 20) {
        call.socket().close();
        return true;
      }
      if (pulls[0] % 5 == 0 && pulls[0] < 20) {
        call.socket()
            .write(FakeCluster.half(FakeCluster.pulled(call.request(), ResultCode.SUCCESS, 7, 7).body(new byte[1000])))
            .onComplete(written -> call.socket().close());
        return true;
      }
      return false;
    });

    Taker taker = take(MEMBER, Long.MAX_VALUE);

    List<Delivery> all = taker.next(400);
    assertThat(all.stream().map(d -> d.queueId() + "@" + d.queueOffset()).distinct()).hasSize(400);
  }

  @Test
  void shouldReadOnAfterAnAnswerWithBrokenRecords() {
    fill(0, 5);
    cluster.first(
        1,
        RequestCode.PULL_MESSAGE,
        call -> call.answer(FakeCluster.pulled(call.request(), ResultCode.SUCCESS, 5, 5).body(new byte[] {0, 0, 0, 99, 1, 2, 3})));

    assertThat(take(MEMBER, Long.MAX_VALUE).next(5)).hasSize(5);
  }

  @Test
  void shouldIntroduceItselfAgainToABrokerThatForgotIt() {
    fill(0, 1);
    cluster.first(2, RequestCode.PULL_MESSAGE, call -> call.refuse(ResultCode.SUBSCRIPTION_NOT_EXIST.wire(), "who are you"));

    take(MEMBER, Long.MAX_VALUE).next(1);

    assertThat(cluster.requests(RequestCode.HEART_BEAT).size()).isGreaterThan(1);
  }

  @Test
  void shouldFollowAMovedOffset() {
    fill(0, 10);
    cluster.first(1, RequestCode.PULL_MESSAGE, call -> call.answer(FakeCluster.pulled(call.request(), ResultCode.PULL_OFFSET_MOVED, 8, 10)));
    cluster.topic(TOPIC, 1);

    assertThat(take(MEMBER, Long.MAX_VALUE).next(2)).extracting(Delivery::queueOffset).containsExactly(8L, 9L);
  }

  @Test
  void shouldUnpackCompressedBodies() throws Exception {
    String text = "long text ".repeat(5000);
    cluster.store(TOPIC, 0, deflated(text), Map.of(), SysFlag.COMPRESSED);
    cluster.store(TOPIC, 0, "plain", Map.of(), 0);

    assertThat(take(MEMBER, Long.MAX_VALUE).next(2)).extracting(delivery -> delivery.message().text()).containsExactly(text, "plain");
  }

  @Test
  void shouldSendBackWhatItCannotUnpackAndReadOn() {
    cluster.store(TOPIC, 0, "not deflated", Map.of(), SysFlag.COMPRESSED);
    cluster.store(TOPIC, 0, "zstd", Map.of(), SysFlag.COMPRESSED | 0x200);
    cluster.store(TOPIC, 0, "fine", Map.of(), 0);
    cluster.first(1, RequestCode.CONSUMER_SEND_MSG_BACK, call -> call.refuse(1, "not now"));

    Delivery fine = take(MEMBER, Long.MAX_VALUE).next(1).get(0);

    assertThat(fine.message().text()).isEqualTo("fine");
    await(fine.ack());
    until(() -> Long.valueOf(3).equals(cluster.offset(GROUP, TOPIC, 0)));
  }

  @Test
  void shouldRefuseASecondSubscriberForTheSameTopicAndGroup() {
    take(MEMBER, 1);

    MetaqException failure = (MetaqException) take(MEMBER, 1).failure();

    assertThat(failure.reason()).isEqualTo(Reason.INVALID);
    assertThat(failure).hasMessageContaining(TOPIC).hasMessageContaining(GROUP);
  }

  @Test
  void shouldReadTwoTopicsAsOneMember() {
    cluster.topic("U", 1);
    fill(0, 1);
    cluster.store("U", 0, "u", Map.of(), 0);

    Taker first = take(MEMBER, Long.MAX_VALUE);
    Taker second = take(Subscription.to("U").group(GROUP).from(Position.EARLIEST), Long.MAX_VALUE);

    first.next(1);
    second.next(1);
    RemotingCommand last = cluster.requests(RequestCode.HEART_BEAT).get(cluster.requests(RequestCode.HEART_BEAT).size() - 1);
    assertThat(new String(last.body(), StandardCharsets.UTF_8)).contains("\"topic\":\"T\"", "\"topic\":\"U\"", "\"topic\":\"%RETRY%g\"");
  }

  @Test
  void shouldStoreNothingWhenItReadsAlone() {
    fill(0, 5);
    Taker taker = take(ALONE, Long.MAX_VALUE);
    List<Delivery> all = taker.next(5);

    all.forEach(delivery -> await(delivery.ack()));

    assertThat(failure(take(ALONE, 1).next(1).get(0).nack()).reason()).isEqualTo(Reason.INVALID);
    assertThat(cluster.requests(RequestCode.HEART_BEAT)).isEmpty();
    assertThat(cluster.requests(RequestCode.UPDATE_CONSUMER_OFFSET)).isEmpty();
  }

  @Test
  void shouldCompleteSubscribersWhenClosed() {
    fill(0, 2);
    Taker member = take(MEMBER, Long.MAX_VALUE);
    member.next(2).forEach(delivery -> await(delivery.ack()));
    Taker alone = take(ALONE, 1);
    alone.next(1);

    client.close().await().atMost(LIMIT);

    assertThat(member.completed()).isTrue();
    assertThat(alone.completed()).isTrue();
    assertThat(cluster.offset(GROUP, TOPIC, 0)).isEqualTo(2);
    assertThat(take(MEMBER, 1).failure())
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CLOSED));
  }

  @Test
  void shouldFailAtOnceWhenNoNameServerAnswers() throws Exception {
    String address = cluster.address();
    cluster.stop();

    Throwable failure = take(MEMBER, 1).failure();

    assertThat(failure)
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.NO_NAME_SERVER))
        .hasMessageContaining(address);
  }

  @Test
  void shouldReadOnWhenTheWholeClusterIsRestarted() throws Exception {
    int port = cluster.port();
    fill(0, 5);
    Taker taker = take(MEMBER, Long.MAX_VALUE);
    taker.next(5).forEach(delivery -> await(delivery.ack()));

    cluster.cutAll();
    cluster.stop();
    cluster = FakeCluster.start(vertx, port);
    fill(0, 6);
    cluster.offset(GROUP, TOPIC, 0, 5);

    assertThat(taker.next(1)).extracting(Delivery::queueOffset).containsExactly(5L);
  }

  @Test
  void shouldDeliverOnTheSubscribersContext() throws Exception {
    fill(0, 50);
    CompletableFuture<Boolean> always = new CompletableFuture<>();

    vertx.runOnContext(ignored -> {
      Context caller = Vertx.currentContext();
      client
          .subscribe(MEMBER)
          .onItem()
          .transformToUniAndConcatenate(delivery -> delivery.ack().map(done -> Vertx.currentContext() == caller))
          .select()
          .first(50)
          .collect()
          .asList()
          .subscribe()
          .with(all -> always.complete(all.stream().allMatch(same -> same)), always::completeExceptionally);
    });

    assertThat(always.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldPullOnceWithoutAGroup() {
    fill(0, 40);
    List<TopicQueue> queues = client.queues(TOPIC).await().atMost(LIMIT);

    PullResult some = client.pull(queues.get(0), 3, 10).await().atMost(LIMIT);
    PullResult none = client.pull(queues.get(0), 40, 10).await().atMost(LIMIT);

    assertThat(queues).containsExactly(new TopicQueue(TOPIC, FakeCluster.BROKER, 0), new TopicQueue(TOPIC, FakeCluster.BROKER, 1));
    assertThat(some.messages()).hasSize(10);
    assertThat(some.nextQueueOffset()).isEqualTo(13);
    assertThat(some.maxQueueOffset()).isEqualTo(40);
    assertThat(none.messages()).isEmpty();
    assertThat(failure(client.queues("nowhere")).reason()).isEqualTo(Reason.NO_ROUTE);
  }

  @Test
  void shouldLookForNothingWhenTheSubscriberCancelsAtOnce() {
    client.subscribe(ALONE).onSubscription().invoke(Flow.Subscription::cancel).subscribe().with(delivery -> {});

    assertThat(failure(client.queues("nowhere")).reason()).isEqualTo(Reason.NO_ROUTE);
    assertThat(cluster.requests(RequestCode.GET_ROUTEINFO_BY_TOPIC)).extracting(request -> request.requireText("topic"))
        .containsOnly("nowhere");
  }

  private long pulledUpTo(int queueId) {
    return cluster.requests(RequestCode.PULL_MESSAGE).stream()
        .filter(pull -> pull.requireInt("queueId") == queueId)
        .mapToLong(pull -> pull.requireLong("queueOffset") + pull.requireInt("maxMsgNums"))
        .max()
        .orElse(0);
  }

  private static byte[] deflated(String text) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  @Test
  void shouldBringItsSqlExpressionWithEachPullWhenReadingAlone() {
    fill(0, 1);

    take(ALONE.sql("a > 1"), 1).next(1);

    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isNotEmpty().allSatisfy(pull -> {
      assertThat(pull.requireText("subscription")).isEqualTo("a > 1");
      assertThat(pull.requireText("expressionType")).isEqualTo("SQL92");
    });
    assertThat(cluster.requests(RequestCode.CHECK_CLIENT_CONFIG)).hasSize(1);
  }

  @Test
  void shouldHaveItsSqlExpressionCheckedOnceAndTellItInHeartbeatsAsAMember() {
    fill(0, 1);

    take(MEMBER.sql("a > 1"), 1).next(1);

    assertThat(cluster.requests(RequestCode.CHECK_CLIENT_CONFIG)).hasSize(1).allSatisfy(check ->
        assertThat(ClientBodies.clientConfig(check.body()).subscription()).hasValueSatisfying(wanted -> {
          assertThat(wanted.topic()).isEqualTo(TOPIC);
          assertThat(wanted.type()).isEqualTo("SQL92");
          assertThat(wanted.expression()).isEqualTo("a > 1");
        }));
    assertThat(ClientBodies.heartbeat(cluster.requests(RequestCode.HEART_BEAT).get(0).body()).consumers().get(0).subscriptions())
        .anySatisfy(wanted -> {
          assertThat(wanted.type()).isEqualTo("SQL92");
          assertThat(wanted.expression()).isEqualTo("a > 1");
          assertThat(wanted.version()).isPositive();
        });
    assertThat(cluster.requests(RequestCode.PULL_MESSAGE).get(0).requireText("expressionType")).isEqualTo("SQL92");
  }

  @Test
  void shouldAskNothingAboutTags() {
    fill(0, 1);

    take(MEMBER, 1).next(1);
    take(ALONE, 1).next(1);

    assertThat(cluster.requests(RequestCode.CHECK_CLIENT_CONFIG)).isEmpty();
  }

  @Test
  void shouldFailTheSubscriberWhoseFilterABrokerRefuses() {
    fill(0, 1);
    cluster.script(RequestCode.CHECK_CLIENT_CONFIG, call -> {
      call.refuse(ResultCode.SYSTEM_ERROR.wire(), "no SQL here");
      return true;
    });

    List<Throwable> failures = List.of(take(ALONE.sql("a > 1"), 1).failure(), take(MEMBER.sql("a > 1"), 1).failure());

    assertThat(failures).allSatisfy(failure -> assertThat(failure)
        .isInstanceOfSatisfying(MetaqException.class, e -> assertThat(e.reason()).isEqualTo(Reason.REFUSED))
        .hasMessageContaining("no SQL here"));
    assertThat(cluster.requests(RequestCode.PULL_MESSAGE)).isEmpty();
    assertThat(take(MEMBER, 1).next(1)).hasSize(1);
  }

  @Test
  void shouldReadWhatABrokerThatIsBackSelects() {
    fill(0, 1);
    cluster.first(1, RequestCode.CHECK_CLIENT_CONFIG, call -> call.socket().close());

    assertThat(take(MEMBER.sql("a > 1"), 1).next(1)).hasSize(1);
  }

}
