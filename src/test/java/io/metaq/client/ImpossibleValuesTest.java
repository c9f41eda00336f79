package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.metaq.client.MetaqException.Reason;
import io.metaq.model.RequestCode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that nothing can have: each is {@code INVALID}, and nothing is sent. */
@Timeout(180)
class ImpossibleValuesTest extends ClientTestBase {
  private static final Subscription READING = Subscription.to(TOPIC);
  private static final TopicQueue QUEUE = new TopicQueue(TOPIC, FakeCluster.BROKER, 0);

  static Stream<Named<ThrowingCallable>> ofMessages() {
    return Stream.of(
        named("no queue", () -> Message.to((TopicQueue) null)),
        named("answer to null", () -> Message.replyTo(null)),
        named("tag null", () -> HELLO.tag(null)),
        named("tag empty", () -> HELLO.tag("")),
        named("tag of two", () -> HELLO.tag("a||b")),
        named("tag with space around", () -> HELLO.tag(" a")),
        named("key null", () -> HELLO.key(null)),
        named("key empty", () -> HELLO.key("")),
        named("key of two", () -> HELLO.key("a b")),
        named("key with a separator", () -> HELLO.key("a\u0001b")),
        named("order key null", () -> HELLO.orderKey(null)),
        named("order key with a separator", () -> HELLO.orderKey("\u0002")),
        named("property without a name", () -> HELLO.property("", "v")),
        named("property of null", () -> HELLO.property("p", null)),
        named("property with a separator in its name", () -> HELLO.property("p\u0001", "v")),
        named("property with a separator in its value", () -> HELLO.property("p", "v\u0002w")),
        named("property that makes a half message", () -> HELLO.property("TRAN_MSG", "true")),
        named("property that is another's id", () -> HELLO.property("UNIQ_KEY", "x")),
        named("property that delays", () -> HELLO.property("DELAY", "3")),
        named("delay null", () -> HELLO.deliverAfter(null)),
        named("delay below 0", () -> HELLO.deliverAfter(Duration.ofMillis(-1))),
        named("delay without end", () -> HELLO.deliverAfter(Duration.ofSeconds(Long.MAX_VALUE))),
        named("time null", () -> HELLO.deliverAt(null)),
        named("time without end", () -> HELLO.deliverAt(Instant.MAX)),
        named("level below 0", () -> HELLO.delayLevel(-1)));
  }

  static Stream<Named<ThrowingCallable>> ofSubscriptions() {
    return Stream.of(
        named("topic null", () -> Subscription.to(null)),
        named("topic with a space", () -> Subscription.to("a b")),
        named("group null", () -> READING.group(null)),
        named("group empty", () -> READING.group("")),
        named("no tags", () -> READING.tags()),
        named("tags null", () -> READING.tags((String[]) null)),
        named("a tag null", () -> READING.tags("a", null)),
        named("a tag blank", () -> READING.tags(" ")),
        named("a tag of two", () -> READING.tags("a || b")),
        named("filter null", () -> READING.filter(null)),
        named("SQL null", () -> READING.sql(null)),
        named("SQL empty", () -> READING.sql("")),
        named("position null", () -> READING.from(null)),
        named("strategy null", () -> READING.allocation(null)),
        named("retries below 0", () -> READING.maxRetries(-1)),
        named("reads nothing ahead", () -> READING.readAhead(0)),
        named("no open message", () -> READING.maxUnsettled(0)),
        named("handover null", () -> READING.handover(null)),
        named("handover without end", () -> READING.handover(Duration.ofSeconds(Long.MAX_VALUE))),
        named("stuck at once", () -> READING.stuckAfter(Duration.ZERO)),
        named("stuck null", () -> READING.stuckAfter(null)));
  }

  private static Named<ThrowingCallable> named(String what, ThrowingCallable call) {
    return Named.of(what, call);
  }

  @ParameterizedTest
  @MethodSource({"ofMessages", "ofSubscriptions"})
  void shouldRefuseTheValue(ThrowingCallable call) {
    assertThat(catchThrowable(call)).isInstanceOfSatisfying(
        MetaqException.class, failure -> assertThat(failure.reason()).isEqualTo(Reason.INVALID));
  }

  @Test
  void shouldRefuseCallsWithNothing() {
    Stream.<ThrowingCallable>of(
        () -> client.subscribe(null), () -> client.consume(READING, 1, null), () -> client.consume(null, 1, delivery -> delivery.ack()),
        () -> client.transaction("g", null), () -> client.transaction(null, message -> null), () -> client.admin().figures(null),
        () -> client.admin().figures(Duration.ofMillis(99)), () -> client.admin().figures(Duration.ofSeconds(Long.MAX_VALUE)))
        .forEach(this::shouldRefuseTheValue);
    assertThat(Stream.of(
            client.request(HELLO, Duration.ofMillis(-1)), client.request(HELLO, Duration.ofSeconds(Long.MAX_VALUE)), client.send(HELLO, ""),
            client.send(HELLO, "a b"), client.send(HELLO, "a\u0001b"), client.read(null, 0, 1, Duration.ZERO), client.read(QUEUE, 0, 1, null),
            client.offsets(TOPIC, null), client.admin().putTopic(null, Optional.empty(), Optional.empty()),
            client.admin().putGroup(null, 1, false, Optional.empty(), Optional.empty()), client.admin().message(Optional.of(TOPIC), null),
            client.admin().changeBrokerSettings("b0", 0, Map.of()), client.admin().resend(null, Optional.empty()))
        .map(call -> Optional.ofNullable(failure(call)).map(MetaqException::reason))).containsOnly(Optional.of(Reason.INVALID));
    assertThat(cluster.requests(RequestCode.SEND_MESSAGE_V2)).isEmpty();
  }

  @Test
  void shouldRefusePropertiesThatNoRecordHolds() {
    assertThat(failure(client.send(HELLO.property("p", "v".repeat(40_000)))).reason()).isEqualTo(Reason.INVALID);
    assertThat(failure(client.sendAll(List.of(HELLO, HELLO.property("p", "v".repeat(40_000)))))).isInstanceOfSatisfying(
        SendAllException.class, failure -> {
          assertThat(failure.stored()).containsOnlyKeys(0);
          assertThat(failure.failed()).containsOnlyKeys(1);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"%RETRY%g", "%RETRY%other", "%RETRY%g_T"})
  void shouldRefuseARetryTopicToTheMembersOfAGroup(String topic) {
    Taker taker = new Taker(1);

    client.subscribe(Subscription.to(topic).group("g")).subscribe().withSubscriber(taker);

    assertThat(taker.failure()).isInstanceOfSatisfying(
        MetaqException.class, failure -> assertThat(failure.reason()).isEqualTo(Reason.INVALID));
    assertThat(failure(client.membership("g").status()).reason()).isEqualTo(Reason.INVALID);
  }

  @Test
  void shouldTakeATimeLongAgoForNow() {
    assertThat(HELLO.deliverAt(Instant.MIN).property("TIMER_DELIVER_MS")).contains("0");
  }
}
