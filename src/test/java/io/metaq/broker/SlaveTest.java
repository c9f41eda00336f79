package io.metaq.broker;

import static io.metaq.broker.TestBroker.await;
import static io.metaq.broker.TestBroker.pull;
import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.MasterState;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a slave answers, and what a master answers slaves. */
class SlaveTest {
  private static final long LONG_HOLD_MS = 15_000;
  private static final long LONGER_THAN_THE_TEST_MS = 3_600_000;
  /** Messages that are twice as long as the hot window together. */
  private static final int FILLING = 16;
  private static final MasterState ALIVE = new MasterState("192.0.2.7:10911", true);
  private static final MasterState AWAY = new MasterState("192.0.2.7:10911", false);

  @TempDir
  Path folder;

  @ParameterizedTest
  @CsvSource({
      "SEND_MESSAGE_V2, SERVICE_NOT_AVAILABLE, takes no messages",
      "SEND_MESSAGE, SERVICE_NOT_AVAILABLE, takes no messages",
      "SEND_BATCH_MESSAGE, SERVICE_NOT_AVAILABLE, takes no messages",
      "SEND_REPLY_MESSAGE_V2, SERVICE_NOT_AVAILABLE, takes no messages",
      "CONSUMER_SEND_MSG_BACK, SYSTEM_ERROR, takes no messages back",
      "END_TRANSACTION, SLAVE_NOT_AVAILABLE, ends no transactions",
      "POP_MESSAGE, SYSTEM_ERROR, gives no messages to pops",
      "ACK_MESSAGE, SYSTEM_ERROR, gives no messages to pops",
      "SET_MESSAGE_REQUEST_MODE, SYSTEM_ERROR, changes no request modes",
      "RECALL_MESSAGE, SLAVE_NOT_AVAILABLE, takes no messages back that wait for their time"
  })
  void shouldRefuseWhatWritesAndSayWhereTheMasterIs(RequestCode request, ResultCode refusal, String what) throws Exception {
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      slave.masterIs(AWAY);

      RemotingCommand answer = slave.ask(RemotingCommand.request(request).body(new byte[10]));

      assertThat(answer.code()).isEqualTo(refusal.wire());
      assertThat(answer.remark()).isEqualTo("broker b with id 1 is a slave and " + what + "; its master is 192.0.2.7:10911");
    }
  }

  @Test
  void shouldSayThatItsMasterIsNotKnownYet() throws Exception {
    try (TestBroker slave = TestBroker.slave(folder, false)) {
      assertThat(slave.ask(send("T", 0, "m")).remark()).endsWith("takes no messages; its master is not known yet");

      RemotingCommand answer = slave.ask(pull("T", 0, 0, 0));

      assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_BUSY.wire());
      assertThat(answer.remark()).contains("slaveReadEnable");
    }
  }

  @Test
  void shouldServeReadersAndSendThemToTheMasterWhereTheyFindIt() throws Exception {
    copiedFrom("T", 3);
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      RemotingCommand answer = slave.ask(pull("T", 0, 1, 0));

      assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
      assertThat(answer.requireLong("nextBeginOffset")).isEqualTo(3);
      assertThat(answer.requireLong("suggestWhichBrokerId")).isZero();
    }
  }

  @Test
  void shouldLetReadersWaitForMessagesWhileTheMasterIsAway() throws Exception {
    copiedFrom("T", 3);
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      slave.masterIs(AWAY);
      Future<RemotingCommand> waiting = slave.request(pull("T", 0, 3, LONG_HOLD_MS));
      slave.ask(RemotingCommand.request(RequestCode.GET_MAX_OFFSET).ext("topic", "T").ext("queueId", 0));
      assertThat(waiting.isComplete()).isFalse();

      slave.masterIs(ALIVE);

      RemotingCommand answer = await(waiting);
      assertThat(answer.code()).isEqualTo(ResultCode.PULL_NOT_FOUND.wire());
      assertThat(answer.requireLong("nextBeginOffset")).isEqualTo(3);
      assertThat(answer.requireLong("suggestWhichBrokerId")).isZero();
    }
  }

  @Test
  void shouldHoldNoReaderForLongWhileTheMasterAnswers() throws Exception {
    copiedFrom("T", 3);
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      slave.masterIs(ALIVE);

      RemotingCommand answer = slave.ask(pull("T", 0, 3, LONGER_THAN_THE_TEST_MS));

      assertThat(answer.code()).isEqualTo(ResultCode.PULL_NOT_FOUND.wire());
    }
  }

  @ParameterizedTest
  @CsvSource({"T, 50", "other, 50"})
  void shouldLeaveReadersWhereTheyAreWhenItHasNotCopiedThatFar(String topic, long queueOffset) throws Exception {
    copiedFrom("T", 3);
    copiedFrom("other", 0);
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      RemotingCommand atOnce = slave.ask(pull(topic, 0, queueOffset, 0));
      RemotingCommand held = slave.ask(pull(topic, 0, queueOffset, 200));

      for (RemotingCommand answer : Set.of(atOnce, held)) {
        assertThat(answer.code()).isEqualTo(ResultCode.PULL_NOT_FOUND.wire());
        assertThat(answer.requireLong("nextBeginOffset")).isEqualTo(queueOffset);
      }
    }
  }

  @Test
  void shouldNotMakeTopicsForReaders() throws Exception {
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      assertThat(slave.ask(pull("unknown", 0, 0, 0)).code()).isEqualTo(ResultCode.TOPIC_NOT_EXIST.wire());
    }
  }

  @Test
  void shouldTakeProgressAndLocksOfConsumers() throws Exception {
    copiedFrom("T", 3);
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      RemotingCommand commit = RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET)
          .ext("consumerGroup", "g").ext("topic", "T").ext("queueId", 0).ext("commitOffset", 2);
      RemotingCommand query = RemotingCommand.request(RequestCode.QUERY_CONSUMER_OFFSET)
          .ext("consumerGroup", "g").ext("topic", "T").ext("queueId", 0);
      RemotingCommand lock = RemotingCommand.request(RequestCode.LOCK_BATCH_MQ).body(
          "{\"consumerGroup\":\"g\",\"clientId\":\"c\",\"mqSet\":[{\"topic\":\"T\",\"brokerName\":\"b\",\"queueId\":0}]}"
              .getBytes(StandardCharsets.UTF_8));

      assertThat(slave.ask(commit).code()).isZero();
      assertThat(slave.ask(query).requireLong("offset")).isEqualTo(2);
      assertThat(text(slave.ask(lock))).contains("\"topic\":\"T\"");
    }
  }

  @ParameterizedTest
  @CsvSource({
      "GET_ALL_TOPIC_CONFIG, topicConfigTable",
      "GET_ALL_SUBSCRIPTIONGROUP_CONFIG, subscriptionGroupTable",
      "GET_ALL_CONSUMER_OFFSET, offsetTable",
      "GET_ALL_MESSAGE_REQUEST_MODE, messageRequestModeMap",
      "GET_TIMER_METRICS, timingCount"
  })
  void shouldGiveSlavesItsTables(RequestCode request, String table) throws Exception {
    try (TestBroker master = new TestBroker(folder, false, true)) {
      RemotingCommand answer = master.ask(RemotingCommand.request(request));

      assertThat(answer.code()).isZero();
      assertThat(text(answer)).startsWith("{").contains("\"" + table + "\":{");
    }
  }

  @Test
  void shouldGiveSlavesACheckPointOfNoTimers() throws Exception {
    try (TestBroker master = new TestBroker(folder, false, true)) {
      RemotingCommand answer = master.ask(RemotingCommand.request(RequestCode.GET_TIMER_CHECK_POINT));

      assertThat(answer.body()).hasSize(56);
      assertThat(ByteBuffer.wrap(answer.body()).getLong()).isPositive();
    }
  }

  @Test
  void shouldKeepReadersNearTheEndOfTheLogAtTheMaster() throws Exception {
    try (TestBroker master = TestBroker.masterWithReadableSlave(folder)) {
      master.ask(send("T", 0, "m"));

      RemotingCommand answer = master.ask(pull("T", 0, 0, LONG_HOLD_MS));

      assertThat(answer.code()).isZero();
      assertThat(answer.requireLong("suggestWhichBrokerId")).isZero();
    }
  }

  @Test
  void shouldSendReadersThatAreFarBehindToTheSlaveUntilTheyHaveCaughtUp() throws Exception {
    try (TestBroker master = TestBroker.masterWithReadableSlave(folder)) {
      fill(master);

      assertThat(master.ask(pull("T", 0, 0, 0)).requireLong("suggestWhichBrokerId")).isEqualTo(1);
      assertThat(master.ask(pull("T", 0, FILLING - 1, 0)).requireLong("suggestWhichBrokerId")).isZero();
    }
    try (TestBroker alone = new TestBroker(folder, false, true)) {
      assertThat(alone.ask(pull("T", 0, 0, 0)).requireLong("suggestWhichBrokerId")).as("without slaveReadEnable").isZero();
    }
    try (TestBroker slave = TestBroker.slave(folder, true)) {
      slave.masterIs(ALIVE);

      assertThat(slave.ask(pull("T", 0, 0, 0)).requireLong("suggestWhichBrokerId")).as("far behind").isEqualTo(1);
      assertThat(slave.ask(pull("T", 0, FILLING - 1, 0)).requireLong("suggestWhichBrokerId")).as("caught up").isZero();
    }
  }

  private static void fill(TestBroker master) throws Exception {
    String body = "x".repeat(TestBroker.HOT_WINDOW_BYTES / FILLING * 2);
    for (int i = 0; i < FILLING; i++) {
      assertThat(master.ask(send("T", 0, body)).code()).isZero();
    }
    master.awaitDispatched("T", 0, FILLING);
  }

  private void copiedFrom(String topic, int messages) throws Exception {
    try (TestBroker master = new TestBroker(folder, false, true)) {
      if (messages == 0) {
        master.ask(send(topic, 1, "elsewhere"));
      }
      for (int i = 0; i < messages; i++) {
        assertThat(master.ask(send(topic, 0, "m" + i)).code()).isZero();
      }
    }
  }

  private static String text(RemotingCommand answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }
}
