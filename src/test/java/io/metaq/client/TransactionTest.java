package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.metaq.client.MetaqException.Reason;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.model.PropertyNames;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that wait for the verdict of some local work. */
@Timeout(180)
class TransactionTest extends ClientTestBase {
  private static final String GROUP = "payers";
  private static final Message PAID = Message.to(FakeCluster.TOPIC).body("paid").key("o-1");

  @ParameterizedTest
  @CsvSource({"COMMIT,8", "ROLLBACK,12"})
  void shouldPutTheMessageAsideThenWorkThenTellTheVerdict(Verdict verdict, int wire) {
    AtomicInteger storedWhenWorking = new AtomicInteger();

    TransactionReceipt receipt =
        payers(Verdict.UNKNOWN)
            .send(
                PAID,
                half -> {
                  storedWhenWorking.set(cluster.requests(RequestCode.SEND_MESSAGE_V2).size());
                  return Uni.createFrom().item(verdict);
                })
            .await()
            .atMost(LIMIT);

    RemotingCommand half = cluster.requests(RequestCode.SEND_MESSAGE_V2).get(0);
    RemotingCommand end = cluster.requests(RequestCode.END_TRANSACTION).get(0);
    assertThat(storedWhenWorking).hasValue(1);
    assertThat(half.requireInt("f") & SysFlag.TRANSACTION_MASK).isEqualTo(SysFlag.TRANSACTION_PREPARED);
    assertThat(half.text("a")).contains(GROUP);
    assertThat(properties(half)).containsEntry(PropertyNames.TRAN_MSG, "true").containsEntry(PropertyNames.PGROUP, GROUP);
    assertThat(end.requireInt("commitOrRollback")).isEqualTo(wire);
    assertThat(end.text("producerGroup")).contains(GROUP);
    assertThat(end.requireLong("commitLogOffset")).isEqualTo(3);
    assertThat(end.text("msgId")).contains(receipt.message().messageId());
    assertThat(receipt.verdict()).isEqualTo(verdict);
    assertThat(receipt.confirmed()).isTrue();
  }

  @Test
  void shouldTellNothingWhenTheWorkDoesNotKnow() {
    TransactionReceipt receipt =
        payers(Verdict.COMMIT).send(PAID, half -> Uni.createFrom().item(Verdict.UNKNOWN)).await().atMost(LIMIT);

    assertThat(receipt.confirmed()).isFalse();
    assertThat(cluster.requests(RequestCode.END_TRANSACTION)).isEmpty();
  }

  @Test
  void shouldTellNothingAndFailWithTheCauseWhenTheWorkThrowsOrFails() {
    IllegalStateException broken = new IllegalStateException("no database");

    MetaqException thrown = failure(payers(Verdict.COMMIT).send(PAID, half -> {
      throw broken;
    }));
    MetaqException failed = failure(payers(Verdict.COMMIT).send(PAID, half -> Uni.createFrom().failure(broken)));

    assertThat(List.of(thrown, failed)).allSatisfy(failure -> {
      assertThat(failure.reason()).isEqualTo(Reason.HANDLER);
      assertThat(failure).hasCause(broken);
    });
    assertThat(cluster.requests(RequestCode.END_TRANSACTION)).isEmpty();
  }

  @Test
  void shouldNotBeginTheWorkWhenTheMessageCannotBePutAside() {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.refuse(ResultCode.NO_PERMISSION.wire(), "no transactions here");
      return true;
    });
    AtomicInteger worked = new AtomicInteger();

    MetaqException failure = failure(payers(Verdict.COMMIT).send(PAID, half -> {
      worked.incrementAndGet();
      return Uni.createFrom().item(Verdict.COMMIT);
    }));

    assertThat(failure.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
    assertThat(worked).hasValue(0);
  }

  @Test
  void shouldRollBackWithoutWorkWhenTheMessageIsNotSafe() {
    cluster.script(RequestCode.SEND_MESSAGE_V2, call -> {
      call.answer(FakeCluster.stored(call.request(), 0, 7, ResultCode.FLUSH_SLAVE_TIMEOUT));
      return true;
    });
    AtomicInteger worked = new AtomicInteger();

    MetaqException failure = failure(payers(Verdict.COMMIT).send(PAID, half -> {
      worked.incrementAndGet();
      return Uni.createFrom().item(Verdict.COMMIT);
    }));

    assertThat(failure.code()).isEqualTo(ResultCode.FLUSH_SLAVE_TIMEOUT.wire());
    assertThat(worked).hasValue(0);
    assertThat(cluster.requests(RequestCode.END_TRANSACTION)).hasSize(1)
        .allSatisfy(end -> assertThat(end.requireInt("commitOrRollback")).isEqualTo(SysFlag.TRANSACTION_ROLLBACK));
  }

  @Test
  void shouldSucceedUnconfirmedWhenTheBrokerDoesNotTakeTheVerdict() {
    cluster.script(RequestCode.END_TRANSACTION, call -> {
      call.refuse(ResultCode.ILLEGAL_OPERATION.wire(), "too late");
      return true;
    });

    TransactionReceipt receipt =
        payers(Verdict.COMMIT).send(PAID, half -> Uni.createFrom().item(Verdict.COMMIT)).await().atMost(LIMIT);

    assertThat(receipt.verdict()).isEqualTo(Verdict.COMMIT);
    assertThat(receipt.confirmed()).isFalse();
  }

  @Test
  void shouldWorkAndAnswerOnTheCallersContext() throws Exception {
    CompletableFuture<Boolean> worked = new CompletableFuture<>();
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    TransactionProducer payers = payers(Verdict.COMMIT);

    vertx.runOnContext(ignored -> {
      Context caller = Vertx.currentContext();
      payers
          .send(PAID, half -> {
            worked.complete(Vertx.currentContext() == caller);
            return Uni.createFrom().item(Verdict.COMMIT);
          })
          .subscribe()
          .with(receipt -> answered.complete(Vertx.currentContext() == caller), answered::completeExceptionally);
    });

    assertThat(worked.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(answered.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldTellNoVerdictWhenTheSubscriberCancelsDuringTheWork() throws Exception {
    CompletableFuture<Void> working = new CompletableFuture<>();
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    var subscription =
        payers(Verdict.COMMIT)
            .send(PAID, half -> Uni.createFrom().<Verdict>emitter(emitter -> {
              emitter.onTermination(() -> cancelled.complete(null));
              working.complete(null);
            }))
            .subscribe()
            .with(receipt -> {});
    working.get(60, TimeUnit.SECONDS);

    subscription.cancel();

    cancelled.get(60, TimeUnit.SECONDS);
    assertThat(cluster.requests(RequestCode.END_TRANSACTION)).isEmpty();
  }

  @Test
  void shouldBeKnownToBrokersBeforeItSendsAnything() throws Exception {
    payers(Verdict.COMMIT);

    Await.until("a heartbeat with the group", LIMIT, () -> cluster.requests(RequestCode.HEART_BEAT).stream()
        .anyMatch(beat -> new String(beat.body(), StandardCharsets.UTF_8).contains("\"groupName\":\"" + GROUP + "\"")));
  }

  @Test
  void shouldAnswerABrokerThatAsks() throws Exception {
    CompletableFuture<Message> asked = new CompletableFuture<>();
    client.transaction(GROUP, message -> {
      asked.complete(message);
      return Uni.createFrom().item(Verdict.ROLLBACK);
    });
    Await.until("a heartbeat", LIMIT, () -> !cluster.requests(RequestCode.HEART_BEAT).isEmpty());

    cluster.tell(question(GROUP));

    Await.until("a verdict", LIMIT, () -> !cluster.requests(RequestCode.END_TRANSACTION).isEmpty());
    RemotingCommand end = cluster.requests(RequestCode.END_TRANSACTION).get(0);
    assertThat(end.requireInt("commitOrRollback")).isEqualTo(SysFlag.TRANSACTION_ROLLBACK);
    assertThat(end.booleanOr("fromTransactionCheck", false)).isTrue();
    assertThat(end.requireLong("tranStateTableOffset")).isEqualTo(5);
    assertThat(end.requireLong("commitLogOffset")).isEqualTo(500);
    assertThat(end.text("producerGroup")).contains(GROUP);
    assertThat(asked.join().text()).isEqualTo("paid");
    assertThat(asked.join().messageId()).contains("the-id");
  }

  @Test
  void shouldAnswerNothingWhenTheCheckerFailsOrDoesNotKnowOrTheGroupIsAnotherOne() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    client.transaction(GROUP, message -> switch (asked.incrementAndGet()) {
      case 1 -> throw new IllegalStateException("no database");
      case 2 -> Uni.createFrom().failure(new IllegalStateException("no database"));
      case 3 -> Uni.createFrom().item(Verdict.UNKNOWN);
      default -> Uni.createFrom().item(Verdict.COMMIT);
    });
    Await.until("a heartbeat", LIMIT, () -> !cluster.requests(RequestCode.HEART_BEAT).isEmpty());

    cluster.tell(question("others"));
    cluster.tell(RemotingCommand.oneway(RequestCode.CHECK_TRANSACTION_STATE).body(new byte[] {1, 2, 3}));
    for (int i = 0; i < 4; i++) {
      cluster.tell(question(GROUP));
    }

    Await.until("a verdict", LIMIT, () -> !cluster.requests(RequestCode.END_TRANSACTION).isEmpty());
    assertThat(asked).hasValue(4);
    assertThat(cluster.requests(RequestCode.END_TRANSACTION)).hasSize(1);
  }

  @Test
  void shouldGiveNoVerdictOnABodyThatCannotBeRead() throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    client.transaction(GROUP, message -> {
      asked.add(message.text());
      return Uni.createFrom().item(Verdict.COMMIT);
    });
    Await.until("a heartbeat", LIMIT, () -> !cluster.requests(RequestCode.HEART_BEAT).isEmpty());
    int packed = SysFlag.COMPRESSED | Bodies.ZLIB_FLAG;

    cluster.tell(question(GROUP, "no zlib".getBytes(StandardCharsets.UTF_8), packed));
    cluster.tell(question(GROUP, Bodies.pack("paid".getBytes(StandardCharsets.UTF_8)), packed));

    Await.until("a verdict", LIMIT, () -> !cluster.requests(RequestCode.END_TRANSACTION).isEmpty());
    assertThat(asked).containsExactly("paid");
  }

  @Test
  void shouldAnswerWithTheCheckerThatWasGivenLast() throws Exception {
    payers(Verdict.COMMIT);
    payers(Verdict.ROLLBACK);
    Await.until("a heartbeat", LIMIT, () -> !cluster.requests(RequestCode.HEART_BEAT).isEmpty());

    cluster.tell(question(GROUP));

    Await.until("a verdict", LIMIT, () -> !cluster.requests(RequestCode.END_TRANSACTION).isEmpty());
    assertThat(cluster.requests(RequestCode.END_TRANSACTION).get(0).requireInt("commitOrRollback"))
        .isEqualTo(SysFlag.TRANSACTION_ROLLBACK);
  }

  @Test
  void shouldRefuseAGroupThatCannotBe() {
    MetaqException failure =
        catchThrowableOfType(MetaqException.class, () -> client.transaction("a b", message -> Uni.createFrom().item(Verdict.COMMIT)));

    assertThat(failure.reason()).isEqualTo(Reason.INVALID);
  }

  private TransactionProducer payers(Verdict whenAsked) {
    return client.transaction(GROUP, message -> Uni.createFrom().item(whenAsked));
  }

  private static RemotingCommand question(String group) {
    return question(group, "paid".getBytes(StandardCharsets.UTF_8), 0);
  }

  private static RemotingCommand question(String group, byte[] body, int sysFlag) {
    byte[] host = {127, 0, 0, 1, 0, 0, 0, 80};
    byte[] topic = FakeCluster.TOPIC.getBytes(StandardCharsets.UTF_8);
    byte[] properties =
        PropertiesText.encode(Map.of(PropertyNames.PGROUP, group, PropertyNames.UNIQ_KEY, "the-id", PropertyNames.TRAN_MSG, "true"));
    RecordEncoder half =
        new RecordEncoder(host)
            .topic(topic, 0, topic.length)
            .properties(properties, 0, properties.length)
            .body(ByteBuffer.wrap(body))
            .born(host, 4)
            .message(0, 0, sysFlag, 0, 0);
    ByteBuffer record = ByteBuffer.allocate(half.size());
    half.writeTo(record, 0);
    return RemotingCommand.oneway(RequestCode.CHECK_TRANSACTION_STATE)
        .ext("topic", FakeCluster.TOPIC)
        .ext("tranStateTableOffset", 5)
        .ext("commitLogOffset", 500)
        .ext("msgId", "the-id")
        .ext("transactionId", "the-id")
        .body(record.array());
  }

  private static Map<String, String> properties(RemotingCommand send) {
    return PropertiesText.decode(send.requireText("i").getBytes(StandardCharsets.UTF_8));
  }
}
