package io.metaq.coordinator;

import static io.metaq.coordinator.CoordinatorRig.await;
import static io.metaq.coordinator.TransactionsRig.commit;
import static io.metaq.coordinator.TransactionsRig.rollback;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.WatchedVertx;
import io.metaq.bus.AppendBatch;
import io.metaq.bus.BusAddress;
import io.metaq.bus.LocalBus;
import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.coordinator.api.TransactionsProxy;
import io.metaq.coordinator.api.Verdict;
import io.metaq.coordinator.api.VerdictOutcome;
import io.metaq.model.AppendStatus;
import io.metaq.model.DelayLevels;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(WatchedVertx.class)
class TransactionVerticleTest {
  private static final int SENDER = CoordinatorRig.LOOPS + 1;
  private static final long NEVER_MS = 3_600_000;

  @TempDir Path folder;

  private final BlockingQueue<Object> writer = new LinkedBlockingQueue<>();
  /** The writer refuses by itself. */
  private final AtomicBoolean full = new AtomicBoolean();
  private CoordinatorRig rig;
  private FakeTransactionLog log;
  private TransactionsProxy transactions;

  @BeforeEach
  void start(Vertx vertx) {
    rig = new CoordinatorRig(vertx, folder);
    log = new FakeTransactionLog(rig.clock);
    transactions = new TransactionsProxy(vertx);
    rig.startConfig();
    rig.startTopics();
    rig.startGroups(CoordinatorRig.groupRules());
    rig.startOffsets(NEVER_MS);
    await(rig.vertx.eventBus().<AppendBatch>localConsumer(BusAddress.APPEND, message -> {
      if (full.get()) {
        giveBack(message.body(), AppendStatus.UNAVAILABLE);
      } else {
        writer.add(message.body());
      }
    }).completion());
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void shouldAnswerWhenTheMessageIsStoredAndNoteTheEndAndItsProgressBeforeItStops() {
    StoredMessage half = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "k", Map.of());
    String deployment = deploy(NEVER_MS);

    Future<List<VerdictOutcome>> answer = transactions.end(List.of(commit(half), commit(half)));
    AppendBatch batch = rig.next(writer, AppendBatch.class);
    assertThat(batch.sender()).isEqualTo(SENDER);
    assertThat(batch.count()).isEqualTo(1);
    assertThat(answer.isComplete()).isFalse();
    giveBack(batch, AppendStatus.STORED);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);

    assertThat(await(answer)).extracting(outcome -> outcome.code().wire()).containsExactly(0, 604);
    assertThat(log.queue(Topics.HALF_OP, 0)).hasSize(1);
    rig.undeploy(deployment);
    assertThat(progress()).containsExactly(1L, 1L);
  }

  @Test
  void shouldHaveTheLoopToldThatWaitsForTheMessageToBeSafe() {
    StoredMessage committed = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "c", Map.of());
    StoredMessage dropped = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "d", Map.of());
    deploy(NEVER_MS);

    Future<List<VerdictOutcome>> answer = transactions.end(List.of(awaited(commit(committed), 1), awaited(rollback(dropped), 0)));
    AppendBatch batch = rig.next(writer, AppendBatch.class);
    long waiters = batch.waiters();
    giveBack(batch, AppendStatus.STORED);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);

    StoredMessage stored = log.queue(TransactionsRig.TOPIC, TransactionsRig.QUEUE_ID).get(0);
    assertThat(waiters).isEqualTo(1L << 1);
    assertThat(await(answer)).containsExactly(VerdictOutcome.stored(stored.phyOffset() + stored.size()), VerdictOutcome.DROPPED);
  }

  /** Seen before: it waited for the next tick, up to a second. */
  @Test
  void shouldCarryOutAVerdictThatComesWhileTheLastBatchIsAwayAsSoonAsThatIsBack() {
    StoredMessage first = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "first", Map.of());
    StoredMessage second = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "second", Map.of());
    deploy(NEVER_MS, NEVER_MS);
    transactions.end(List.of(rollback(first)));
    AppendBatch note = rig.next(writer, AppendBatch.class);

    Future<List<VerdictOutcome>> answer = transactions.end(List.of(commit(second)));
    awaitTurn();
    giveBack(note, AppendStatus.STORED);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);

    assertThat(await(answer)).extracting(outcome -> outcome.code().wire()).containsExactly(0);
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
  }

  /** Returns when the verticle has done all that it was asked so far: its pool has one thread. */
  private void awaitTurn() {
    await(rig.vertx.createSharedWorkerExecutor("metaq-transaction").executeBlocking(() -> null, false));
  }

  private static Verdict awaited(Verdict verdict, int loop) {
    return new Verdict(verdict.group(), verdict.halfQueueOffset(), verdict.halfPhyOffset(), verdict.commit(), verdict.answersCheck(),
        verdict.messageId(), loop);
  }

  @Test
  void shouldWaitForTheBatchInFlightWhenItStops() {
    StoredMessage half = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "k", Map.of());
    String deployment = deploy(NEVER_MS);
    Future<List<VerdictOutcome>> answer = transactions.end(List.of(rollback(half)));
    AppendBatch note = rig.next(writer, AppendBatch.class);
    assertThat(await(answer)).containsExactly(VerdictOutcome.DROPPED);

    Future<Void> stopped = rig.beginUndeploy(deployment);
    assertThat(stopped.isComplete()).isFalse();
    giveBack(note, AppendStatus.STORED);
    await(stopped);

    assertThat(progress()).containsExactly(1L, 1L);
  }

  @Test
  void shouldStopEvenWhenNothingCanBeStored() {
    StoredMessage half = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "k", Map.of());
    String deployment = deploy(NEVER_MS);
    transactions.end(List.of(rollback(half)));
    AppendBatch note = rig.next(writer, AppendBatch.class);

    full.set(true);
    Future<Void> stopped = rig.beginUndeploy(deployment);
    giveBack(note, AppendStatus.UNAVAILABLE);
    await(stopped);

    assertThat(log.queue(Topics.HALF_OP, 0)).isEmpty();
  }

  @Test
  void shouldAskAProducerThatIsConnectedThroughItsLoop() {
    log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "k", Map.of());
    rig.clock.advance(TransactionsRig.IMMUNITY_MS + 1);
    await(rig.groups.heartbeat(
        new Heartbeat(1, 77, "remote", "client", "JAVA", 0, 0, false, List.of(TransactionsRig.GROUP), List.of())));
    deploy(10);
    AppendBatch copy = rig.next(writer, AppendBatch.class);

    full.set(true);
    giveBack(copy, AppendStatus.STORED);

    CheckTransaction question = rig.heard(1, CheckTransaction.class);
    assertThat(question.connectionId()).isEqualTo(77);
    assertThat(question.halfQueueOffset()).isEqualTo(1);
    assertThat(question.uniqueKey()).isEqualTo("k");
  }

  @Test
  void shouldGoOnAfterARestartWhereItWas() {
    StoredMessage ended = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "e", Map.of());
    StoredMessage waiting = log.half(TransactionsRig.GROUP, TransactionsRig.TOPIC, "w", Map.of());
    String deployment = deploy(NEVER_MS);
    transactions.end(List.of(rollback(ended)));
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);
    rig.undeploy(deployment);

    deploy(NEVER_MS);
    Future<List<VerdictOutcome>> answer = transactions.end(List.of(rollback(ended), rollback(waiting)));
    giveBack(rig.next(writer, AppendBatch.class), AppendStatus.STORED);

    assertThat(await(answer)).extracting(outcome -> outcome.code().wire()).containsExactly(604, 0);
  }

  private String deploy(long checkIntervalMs) {
    return deploy(checkIntervalMs, 1_000);
  }

  private String deploy(long checkIntervalMs, long tickMs) {
    TransactionRules rules = new TransactionRules(
        TransactionsRig.IMMUNITY_MS, checkIntervalMs, TransactionsRig.MAX_CHECKS, TransactionsRig.MAX_AGE_MS, 4096, 1 << 20);
    return rig.deployWorker(
        new TransactionVerticle(log, rules, DelayLevels.DEFAULT, SENDER, FakeTransactionLog.STORE_HOST, rig.clock, tickMs), "metaq-transaction");
  }

  /** The verticle does nothing with the log while its batch is away, so it may be changed here. */
  private void giveBack(AppendBatch batch, AppendStatus status) {
    log.append(batch, status == AppendStatus.STORED ? batch.count() : 0, status);
    rig.vertx.eventBus().send(BusAddress.appended(batch.sender()), batch, LocalBus.LOCAL);
  }

  private List<Long> progress() {
    return List.of(
        await(rig.offsets.query(TransactionVerticle.GROUP, Topics.HALF, 0)),
        await(rig.offsets.query(TransactionVerticle.GROUP, Topics.HALF_OP, 0)));
  }
}
