package io.metaq.broker;

import static io.metaq.broker.TestBroker.await;
import static io.metaq.broker.TestBroker.pull;
import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SyncMasterTest {
  private static final long NEVER_MS = 20_000;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldAnswerWhenASlaveHasTheMessage(boolean syncFlush) throws Exception {
    try (TestBroker broker = TestBroker.syncMaster(folder, syncFlush, true)) {
      createTopic(broker);
      broker.replicas.inSync(broker.appendedOffset());
      Future<RemotingCommand> answer = broker.request(send("orders", 0, "m"));
      long end = awaitAppended(broker, 2);

      assertThat(answer.isComplete()).isFalse();
      broker.replicated(end - 1);
      broker.replicated(end);

      assertThat(await(answer).code()).isEqualTo(ResultCode.SUCCESS.wire());
    }
  }

  @Test
  void shouldSayAtOnceThatNoSlaveIsThereAndKeepTheMessage() throws Exception {
    try (TestBroker broker = TestBroker.syncMaster(folder, false, true)) {
      RemotingCommand answer = broker.ask(send("orders", 0, "m"));

      assertThat(answer.code()).isEqualTo(ResultCode.SLAVE_NOT_AVAILABLE.wire());
      assertReadable(broker);
    }
  }

  @Test
  void shouldNotWaitForASlaveThatIsFarBehind() throws Exception {
    try (TestBroker broker = TestBroker.syncMaster(folder, false, true)) {
      broker.replicas.inSync(0);
      String big = "x".repeat((int) TestBroker.MOST_BEHIND_BYTES);

      assertThat(broker.ask(send("orders", 0, big)).code()).isEqualTo(ResultCode.SLAVE_NOT_AVAILABLE.wire());
      assertReadable(broker);
    }
  }

  @Test
  void shouldTellThatASlaveDidNotConfirmInTimeAndKeepTheMessage() throws Exception {
    try (TestBroker broker = TestBroker.impatientSyncMaster(folder, false, true)) {
      broker.replicas.inSync(0);

      assertThat(broker.ask(send("orders", 0, "m")).code()).isEqualTo(ResultCode.FLUSH_SLAVE_TIMEOUT.wire());
      assertReadable(broker);
    }
  }

  @Test
  void shouldTellOfTheSlaveWhenTheDiskWasTooSlowAsWell() throws Exception {
    try (TestBroker broker = TestBroker.impatientSyncMaster(folder, true, false)) {
      broker.replicas.inSync(0);

      assertThat(broker.ask(send("orders", 0, "m")).code()).isEqualTo(ResultCode.FLUSH_SLAVE_TIMEOUT.wire());
    }
  }

  @Test
  void shouldTellOfTheDiskWhenTheSlaveHasTheMessage() throws Exception {
    try (TestBroker broker = TestBroker.syncMaster(folder, true, false)) {
      broker.replicas.inSync(0);
      Future<RemotingCommand> answer = broker.request(send("orders", 0, "m"));
      broker.replicated(awaitAppended(broker, 1));

      assertThat(await(answer).code()).isEqualTo(ResultCode.FLUSH_DISK_TIMEOUT.wire());
    }
  }

  @Test
  void shouldNotHoldUpAMessageThatDoesNotWait() throws Exception {
    try (TestBroker broker = TestBroker.impatientSyncMaster(folder, false, true)) {
      broker.replicas.inSync(0);
      Future<RemotingCommand> waiting = broker.request(send("orders", 0, "waits"));
      RemotingCommand answer = broker.ask(send("orders", 0, "does not").ext("i", "WAIT\u0001false\u0002"));

      assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
      assertThat(await(waiting).code()).isEqualTo(ResultCode.FLUSH_SLAVE_TIMEOUT.wire());
    }
  }

  private static void createTopic(TestBroker broker) throws Exception {
    broker.ask(send("orders", 0, "first"));
  }

  private static void assertReadable(TestBroker broker) throws Exception {
    assertThat(broker.ask(pull("orders", 0, 0, NEVER_MS)).code()).isEqualTo(ResultCode.SUCCESS.wire());
  }

  /** Waits until so many messages are in the log; returns where it ends. */
  private static long awaitAppended(TestBroker broker, int messages) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (broker.appendedMessages() < messages) {
      assertThat(System.nanoTime()).as("appended in time").isLessThan(deadlineNs);
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return broker.appendedOffset();
  }
}
