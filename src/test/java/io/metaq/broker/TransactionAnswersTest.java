package io.metaq.broker;

import static io.metaq.broker.TestBroker.await;
import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.SysFlag;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the answer to a verdict promises: as much as the answer to a send. */
class TransactionAnswersTest {
  private static final int HALF_AND_COMMITTED = 2;

  @TempDir
  Path folder;

  @Test
  void shouldAnswerACommitWhenASlaveHasTheMessage() throws Exception {
    try (TestBroker broker = withTransactions(TestBroker.syncMaster(folder, false, true))) {
      Future<RemotingCommand> half = broker.request(halfOf("k"));
      broker.replicated(awaitAppended(broker, 1));
      Future<RemotingCommand> answer = broker.request(end(await(half), SysFlag.TRANSACTION_COMMIT));
      long end = awaitAppended(broker, HALF_AND_COMMITTED);

      assertThat(answer.isComplete()).isFalse();
      broker.replicated(end);

      assertThat(await(answer).code()).isEqualTo(ResultCode.SUCCESS.wire());
    }
  }

  @Test
  void shouldTellThatNoSlaveConfirmedACommitInTime() throws Exception {
    try (TestBroker broker = withTransactions(TestBroker.impatientSyncMaster(folder, false, true))) {
      RemotingCommand answer = broker.ask(end(half(broker, "k"), SysFlag.TRANSACTION_COMMIT));

      assertThat(answer.code()).isEqualTo(ResultCode.FLUSH_SLAVE_TIMEOUT.wire());
      assertThat(answer.remark()).isEqualTo("the message is stored, but no slave confirmed in time");
    }
  }

  @Test
  void shouldAnswerARollbackAndARefusalAtOnce() throws Exception {
    try (TestBroker broker = withTransactions(TestBroker.impatientSyncMaster(folder, false, true))) {
      RemotingCommand half = half(broker, "k");

      assertThat(broker.ask(end(half, SysFlag.TRANSACTION_ROLLBACK)).code()).isEqualTo(ResultCode.SUCCESS.wire());
      assertThat(broker.ask(end(half, SysFlag.TRANSACTION_COMMIT)).code()).isEqualTo(ResultCode.ILLEGAL_OPERATION.wire());
    }
  }

  @Test
  void shouldAnswerManyCommitsWhenTheyAreOnTheDisk() throws Exception {
    int transactions = 200;
    try (TestBroker broker = new TestBroker(folder, true, true)) {
      broker.startTransactions();
      broker.ask(send("orders", 0, "creates the topic"));
      List<Future<RemotingCommand>> halves = new ArrayList<>();
      for (int i = 0; i < transactions; i++) {
        halves.add(broker.request(halfOf("k" + i)));
      }
      List<Future<RemotingCommand>> answers = new ArrayList<>();
      for (Future<RemotingCommand> half : halves) {
        answers.add(broker.request(end(await(half), SysFlag.TRANSACTION_COMMIT)));
      }

      for (Future<RemotingCommand> answer : answers) {
        assertThat(await(answer).code()).isEqualTo(ResultCode.SUCCESS.wire());
      }
    }
  }

  @Test
  void shouldTellThatACommitWasNotOnTheDiskInTime() throws Exception {
    try (TestBroker broker = TestBroker.impatient(folder)) {
      broker.startTransactions();
      RemotingCommand half = half(broker, "k");
      broker.stopFlush();

      RemotingCommand answer = broker.ask(end(half, SysFlag.TRANSACTION_COMMIT));

      assertThat(answer.code()).isEqualTo(ResultCode.FLUSH_DISK_TIMEOUT.wire());
      assertThat(answer.remark()).isEqualTo("the message is stored, but not confirmed on disk in time");
    }
  }

  /** One with a slave that is there, and confirms when the test says so. */
  private static TestBroker withTransactions(TestBroker broker) throws Exception {
    broker.replicas.inSync(0);
    broker.startTransactions();
    return broker;
  }

  private static RemotingCommand half(TestBroker broker, String key) throws Exception {
    return broker.ask(halfOf(key));
  }

  private static RemotingCommand halfOf(String key) {
    return send("orders", 0, key).ext("f", SysFlag.TRANSACTION_PREPARED)
        .ext("i", "TRAN_MSG\u0001true\u0002PGROUP\u0001pg\u0002UNIQ_KEY\u0001" + key + "\u0002");
  }

  private static RemotingCommand end(RemotingCommand half, int state) {
    String id = half.requireText("msgId");
    return RemotingCommand.request(RequestCode.END_TRANSACTION).ext("producerGroup", "pg")
        .ext("tranStateTableOffset", half.requireLong("queueOffset"))
        .ext("commitLogOffset", Long.parseLong(id.substring(id.length() - Long.BYTES * 2), 16)).ext("commitOrRollback", state);
  }

  /** Waits until so many messages are in the log; returns where it ends. */
  private static long awaitAppended(TestBroker broker, int messages) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (broker.appendedMessages() < messages) {
      assertThat(System.nanoTime()).as("appended in time").isLessThan(deadlineNs);
      Thread.onSpinWait();
    }
    return broker.appendedOffset();
  }
}
