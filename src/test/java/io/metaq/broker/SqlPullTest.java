package io.metaq.broker;

import static io.metaq.broker.TestBroker.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.client.HeartbeatBody;
import io.metaq.codec.record.RecordReader;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Subscription;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pulls with an SQL92 filter, and what refuses them. */
class SqlPullTest {
  private static final int SUSPEND = 0x2;
  private static final int SUBSCRIPTION = 0x4;

  @TempDir
  Path folder;

  private TestBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = new TestBroker(folder, false, true);
  }

  @AfterEach
  void close() throws Exception {
    broker.close();
  }

  @Test
  void shouldGiveOnlyWhatMatchesAndGoOnBehindWhatWasScanned() throws Exception {
    fill("orders", 100);

    RemotingCommand some = broker.ask(pull("orders", 0, "n BETWEEN 40 AND 42 AND kind <> 'odd'"));
    RemotingCommand none = broker.ask(pull("orders", 0, "n > 1000"));

    assertThat(offsets(some)).containsExactly(40L, 42L);
    assertThat(some.requireLong("nextBeginOffset")).isEqualTo(100);
    assertThat(none.code()).isEqualTo(ResultCode.PULL_RETRY_IMMEDIATELY.wire());
    assertThat(none.requireLong("nextBeginOffset")).isEqualTo(100);
  }

  @Test
  void shouldGetToTheEndOfAQueueUnderTenThousandTermsInSmallSteps() throws Exception {
    fill("orders", 100);
    String terms = IntStream.range(0, 9_900).mapToObj(i -> "n=" + (i + 99)).collect(Collectors.joining(" OR "));
    List<Long> found = new ArrayList<>();
    int pulls = 0;

    for (long next = 0; next < 100 && pulls < 200; pulls++) {
      RemotingCommand answer = broker.ask(pull("orders", next, terms));
      found.addAll(offsets(answer));
      assertThat(answer.requireLong("nextBeginOffset")).isGreaterThan(next);
      next = answer.requireLong("nextBeginOffset");
    }

    assertThat(found).containsExactly(99L);
    assertThat(pulls).isBetween(5, 100);
  }

  @Test
  void shouldHoldAPullUntilAMessageMatches() throws Exception {
    fill("orders", 3);
    Future<RemotingCommand> held = broker.request(pull("orders", 0, "n = 5").ext("sysFlag", SUBSCRIPTION | SUSPEND));

    broker.ask(send("orders", 3));
    broker.ask(send("orders", 4));
    assertThat(held.isComplete()).isFalse();
    broker.ask(send("orders", 5));

    assertThat(offsets(await(held))).containsExactly(5L);
    assertThat(await(held).requireLong("nextBeginOffset")).isEqualTo(6);
  }

  @Test
  void shouldAnswerAHeldPullBehindWhatDidNotMatchWhenItsTimeIsUp() throws Exception {
    fill("orders", 3);

    RemotingCommand answer = broker.ask(
        pull("orders", 0, "n = 5").ext("sysFlag", SUBSCRIPTION | SUSPEND).ext("suspendTimeoutMillis", 200));

    assertThat(answer.code()).isEqualTo(ResultCode.PULL_NOT_FOUND.wire());
    assertThat(answer.requireLong("nextBeginOffset")).isEqualTo(3);
  }

  @Test
  void shouldSelectOnAWorkerToo() throws Exception {
    fill("orders", 10);
    broker.close();
    // The first pull after a start is not the loop's to read: where the queue begins is not known yet.
    broker = new TestBroker(folder, false, true);

    assertThat(offsets(broker.ask(pull("orders", 0, "n > 7")))).containsExactly(8L, 9L);
  }

  @Test
  void shouldServeTheFilterThatAHeartbeatRegistered() throws Exception {
    fill("orders", 10);
    heartbeat(Subscription.ofSql("orders", "n IN ('3', '7')", 5));

    assertThat(offsets(broker.ask(registered("orders", 5)))).containsExactly(3L, 7L);
    assertThat(offsets(broker.ask(registered("orders", 4)))).containsExactly(3L, 7L);

    heartbeat(Subscription.ofSql("orders", "n = 1", 6));
    assertThat(offsets(broker.ask(registered("orders", 6)))).containsExactly(1L);

    heartbeat(Subscription.ofTags("orders", "*", 7));
    assertThat(offsets(broker.ask(registered("orders", 7)))).hasSize(10);
  }

  @Test
  void shouldSayWhichSubscriptionsItDoesNotHave() throws Exception {
    fill("orders", 1);

    assertThat(broker.ask(registered("orders", 5)).code()).isEqualTo(ResultCode.SUBSCRIPTION_NOT_EXIST.wire());
    heartbeat(Subscription.ofSql("orders", "n = 1", 5));
    assertThat(broker.ask(registered("orders", 6)).code()).isEqualTo(ResultCode.SUBSCRIPTION_NOT_LATEST.wire());
    heartbeat(Subscription.ofSql("others", "n = 1", 6));
    assertThat(broker.ask(registered("orders", 6)).code()).isEqualTo(ResultCode.SUBSCRIPTION_NOT_EXIST.wire());
  }

  @Test
  void shouldRefusePullsWhileTheRegisteredFilterIsNone() throws Exception {
    fill("orders", 3);
    heartbeat(Subscription.ofSql("orders", "n = 1", 5));
    heartbeat(Subscription.ofSql("orders", "n = ", 6), Subscription.ofTags("others", "*", 6));

    RemotingCommand refused = broker.ask(registered("orders", 6));
    assertThat(refused.code()).isEqualTo(ResultCode.FILTER_DATA_NOT_EXIST.wire());
    assertThat(refused.remark()).startsWith("SQL92 filter, character 5: found the end of the expression");

    heartbeat(Subscription.ofSql("orders", "n = 2", 7));
    assertThat(offsets(broker.ask(registered("orders", 7)))).containsExactly(2L);
  }

  @Test
  void shouldNotTakeTagsForAnythingInASubscriptionBySql() throws Exception {
    fill("orders", 3);
    heartbeat(new Subscription("orders", "n = 1", Subscription.SQL92, Set.of("x"), Set.of("x".hashCode()), 5));

    assertThat(offsets(broker.ask(registered("orders", 5)))).containsExactly(1L);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "n = ", "n = 1)", "n > 'x'", "n LIKE 'x'", "n = 'open"})
  void shouldRefuseABadExpressionWherePullOrCheckBringsIt(String expression) throws Exception {
    fill("orders", 1);

    RemotingCommand pulled = broker.ask(pull("orders", 0, expression));
    RemotingCommand checked = broker.ask(check("SQL92", expression));

    assertThat(List.of(pulled, checked)).allSatisfy(refused -> {
      assertThat(refused.code()).isEqualTo(ResultCode.SUBSCRIPTION_PARSE_FAILED.wire());
      assertThat(refused.remark()).matches("SQL92 filter, character [0-9]+: .+");
    });
  }

  @Test
  void shouldRefuseAKindOfFilterThatIsUnknown() throws Exception {
    fill("orders", 1);

    assertThat(broker.ask(pull("orders", 0, "n = 1").ext("expressionType", "REGEX")).code())
        .isEqualTo(ResultCode.SUBSCRIPTION_PARSE_FAILED.wire());
    assertThat(broker.ask(check("REGEX", "n = 1")).code()).isEqualTo(ResultCode.SUBSCRIPTION_PARSE_FAILED.wire());
  }

  @Test
  void shouldPassGoodExpressionsAtTheCheck() throws Exception {
    assertThat(broker.ask(check("SQL92", "n = 1")).code()).isZero();
    assertThat(broker.ask(check("TAG", "n = ")).code()).isZero();
    assertThat(broker.ask(RemotingCommand.request(RequestCode.CHECK_CLIENT_CONFIG)).code()).isZero();
  }

  private void fill(String topic, int count) throws Exception {
    List<Future<RemotingCommand>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(broker.request(send(topic, i)));
    }
    for (Future<RemotingCommand> answer : sent) {
      assertThat(await(answer).code()).isZero();
    }
    broker.awaitDispatched(topic, 0, count);
  }

  private static RemotingCommand send(String topic, int n) {
    return TestBroker.send(topic, 0, "m" + n).ext("i", "n\u0001" + n + "\u0002kind\u0001" + (n % 2 == 0 ? "even" : "odd"));
  }

  private static RemotingCommand pull(String topic, long queueOffset, String expression) {
    return TestBroker.pull(topic, 0, queueOffset, 30_000)
        .ext("sysFlag", SUBSCRIPTION).ext("subscription", expression).ext("expressionType", "SQL92");
  }

  /** A pull of a group's member: the broker has its filter. */
  private static RemotingCommand registered(String topic, long version) {
    return TestBroker.pull(topic, 0, 0, 0).ext("sysFlag", 0).ext("subscription", "").ext("subVersion", version);
  }

  private void heartbeat(Subscription... subscriptions) throws Exception {
    HeartbeatBody body = new HeartbeatBody("member", List.of(), List.of(new HeartbeatBody.Consumer("g", false, false, List.of(subscriptions))));
    assertThat(broker.ask(RemotingCommand.request(RequestCode.HEART_BEAT).body(body.encode())).code()).isZero();
  }

  private static RemotingCommand check(String kind, String expression) {
    return RemotingCommand.request(RequestCode.CHECK_CLIENT_CONFIG).body(("{\"clientId\":\"c\",\"group\":\"g\",\"subscriptionData\":{\"topic\":"
        + "\"orders\",\"subString\":\"" + expression + "\",\"expressionType\":\"" + kind + "\"}}").getBytes(StandardCharsets.UTF_8));
  }

  private static List<Long> offsets(RemotingCommand answer) {
    List<Long> offsets = new ArrayList<>();
    ByteBuffer records = ByteBuffer.wrap(answer.body());
    for (int at = 0; at < records.limit(); at += new RecordReader().wrap(records, at).totalSize()) {
      offsets.add(StoredMessage.decode(records, at).queueOffset());
    }
    return offsets;
  }
}
