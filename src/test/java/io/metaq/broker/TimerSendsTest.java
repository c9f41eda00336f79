package io.metaq.broker;

import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.RecallHandle;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of messages that want a time of their own, and of recalls. */
class TimerSendsTest {
  private static final long DAY_MS = 86_400_000;

  @TempDir
  Path folder;
  private TestBroker broker;

  @BeforeEach
  void begin() throws Exception {
    broker = TestBroker.withTimers(folder, TestBroker.TIMERS);
  }

  @AfterEach
  void end() throws Exception {
    broker.close();
  }

  @ParameterizedTest
  @CsvSource({"TIMER_DELAY_SEC, 100, 100000", "TIMER_DELAY_MS, 100000, 100000"})
  void shouldStoreAMessageWithADelayUnderTheTimerTopic(String property, String value, long delayMs) throws Exception {
    long beforeMs = System.currentTimeMillis();

    RemotingCommand answer = broker.ask(timer(property, value));

    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(answer.requireInt("queueId")).isEqualTo(2);
    StoredMessage stored = broker.stored(Topics.TIMER, 0, 0);
    assertThat(stored.properties()).containsEntry("REAL_TOPIC", "T").containsEntry("REAL_QID", "2").containsEntry(property, value);
    long outMs = Long.parseLong(stored.property("TIMER_OUT_MS"));
    assertThat(outMs).isBetween(beforeMs + delayMs - 1, System.currentTimeMillis() + delayMs);
    assertThat(broker.maxOffset("T", 2)).isZero();
  }

  @Test
  void shouldGiveAHandleThatNamesTheMessage() throws Exception {
    RemotingCommand answer = broker.ask(timer("TIMER_DELAY_SEC", "100"));

    Optional<RecallHandle> handle = RecallHandle.of(answer.text("recallHandle").orElseThrow());
    StoredMessage stored = broker.stored(Topics.TIMER, 0, 0);
    assertThat(handle).contains(
        new RecallHandle("T", "b", Long.parseLong(stored.property("TIMER_OUT_MS")) + 1, stored.property("UNIQ_KEY")));
  }

  @Test
  void shouldGiveNoHandleForWhatDoesNotWait() throws Exception {
    assertThat(broker.ask(send("T", 2, "now")).text("recallHandle")).isEmpty();
    assertThat(broker.ask(timer("TIMER_DELAY_MS", "-1")).text("recallHandle")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
      "TIMER_DELIVER_MS, 1", "TIMER_DELIVER_MS, -1", "TIMER_DELIVER_MS, -9223372036854775808", "TIMER_DELAY_SEC, 0", "TIMER_DELAY_SEC, -5",
      "TIMER_DELAY_SEC, -9223372036854775808", "TIMER_DELAY_MS, 0", "TIMER_DELAY_MS, -9223372036854775808"
  })
  void shouldDeliverAtOnceWhatShouldHaveBeenDelivered(String property, String value) throws Exception {
    assertThat(broker.ask(timer(property, value)).code()).isEqualTo(ResultCode.SUCCESS.wire());

    assertThat(broker.stored("T", 2, 0).body()).asString().isEqualTo("timed");
    assertThat(broker.maxOffset(Topics.TIMER, 0)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
      "TIMER_DELIVER_MS, 9223372036854775807, timerMaxDelaySec", "TIMER_DELAY_SEC, 259201, timerMaxDelaySec",
      "TIMER_DELAY_SEC, 9223372036854775807, timerMaxDelaySec", "TIMER_DELAY_MS, 259200001, timerMaxDelaySec",
      "TIMER_DELAY_MS, 9223372036854775807, timerMaxDelaySec", "TIMER_DELAY_MS, soon, not a number",
      "TIMER_DELAY_SEC, 1.5, not a number", "TIMER_DELIVER_MS, 99999999999999999999, not a number"
  })
  void shouldRefuseWhatIsTooFarOrNoNumberAndSayWhy(String property, String value, String reason) throws Exception {
    RemotingCommand answer = broker.ask(timer(property, value));

    assertThat(answer.code()).isEqualTo(ResultCode.MESSAGE_ILLEGAL.wire());
    assertThat(answer.remark()).contains(reason);
    assertThat(broker.appendedMessages()).isZero();
  }

  @Test
  void shouldTakeWhatIsDueAtTheMaximum() throws Exception {
    assertThat(broker.ask(timer("TIMER_DELAY_SEC", "259200")).code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(broker.stored(Topics.TIMER, 0, 0).body()).asString().isEqualTo("timed");
  }

  @Test
  void shouldTakeFortyDaysWhenTheyAreAllowed(@TempDir Path other) throws Exception {
    try (TestBroker far = TestBroker.withTimers(other, new TimerOptions(true, 40 * DAY_MS, true))) {
      long beforeMs = System.currentTimeMillis();

      assertThat(far.ask(timer("TIMER_DELAY_SEC", Long.toString(40 * DAY_MS / 1_000))).code()).isEqualTo(ResultCode.SUCCESS.wire());

      assertThat(Long.parseLong(far.stored(Topics.TIMER, 0, 0).property("TIMER_OUT_MS"))).isGreaterThanOrEqualTo(beforeMs + 40 * DAY_MS - 1);
    }
  }

  @Test
  void shouldRefuseTimersWhenThereAreNone(@TempDir Path other) throws Exception {
    try (TestBroker without = TestBroker.withTimers(other, new TimerOptions(false, DAY_MS, true))) {
      RemotingCommand answer = without.ask(timer("TIMER_DELAY_SEC", "5"));

      assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
      assertThat(answer.remark()).contains("timerWheelEnable");
      assertThat(without.appendedMessages()).isZero();
    }
  }

  @Test
  void shouldLetADelayLevelGoBeforeATime() throws Exception {
    assertThat(broker.ask(properties("DELAY\u00013\u0002TIMER_DELAY_SEC\u000150\u0002TIMER_DELIVER_MS\u0001x\u0002")).code())
        .isEqualTo(ResultCode.SUCCESS.wire());

    assertThat(broker.stored(Topics.SCHEDULE, 2, 0).properties())
        .containsEntry("DELAY", "3").doesNotContainKeys("TIMER_DELAY_SEC", "TIMER_DELIVER_MS");
  }

  @Test
  void shouldDeliverAtOnceWhatAConsumerPassesOnAsItGotIt() throws Exception {
    assertThat(broker.ask(properties("TIMER_DELAY_SEC\u000150\u0002TIMER_OUT_MS\u00011700000000001\u0002")).code())
        .isEqualTo(ResultCode.SUCCESS.wire());

    assertThat(broker.stored("T", 2, 0).body()).asString().isEqualTo("timed");
  }

  @Test
  void shouldKeepTheTimeOfAHalfMessageForItsCommit() throws Exception {
    RemotingCommand answer = broker.ask(properties("TRAN_MSG\u0001true\u0002PGROUP\u0001pg\u0002UNIQ_KEY\u0001K\u0002TIMER_DELAY_MS\u00015000\u0002"));

    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(answer.text("transactionId")).contains("K");
    assertThat(answer.text("recallHandle")).isEmpty();
    assertThat(broker.stored(Topics.HALF, 0, 0).properties()).containsEntry("TIMER_DELAY_MS", "5000").doesNotContainKey("TIMER_OUT_MS");
  }

  @Test
  void shouldRefuseAHalfMessageWhoseTimeIsNone() throws Exception {
    RemotingCommand answer = broker.ask(properties("TRAN_MSG\u0001true\u0002PGROUP\u0001pg\u0002TIMER_DELAY_MS\u0001soon\u0002"));

    assertThat(answer.code()).isEqualTo(ResultCode.MESSAGE_ILLEGAL.wire());
  }

  @Test
  void shouldRefuseToTakeBackWhatIsPastByAMessageOfItsOwn() throws Exception {
    RemotingCommand answer = broker.ask(properties("TIMER_DELIVER_MS\u00015\u0002TIMER_DEL_UNIQKEY\u0001T+k\u0002"));

    assertThat(answer.code()).isEqualTo(ResultCode.MESSAGE_ILLEGAL.wire());
    assertThat(answer.remark()).contains("taken back");
  }

  @Test
  void shouldStoreARecallInTheSecondOfTheMessage() throws Exception {
    String handle = broker.ask(timer("TIMER_DELAY_SEC", "100")).text("recallHandle").orElseThrow();

    RemotingCommand answer = broker.ask(recall("T", handle));

    StoredMessage waits = broker.stored(Topics.TIMER, 0, 0);
    StoredMessage recall = broker.stored(Topics.TIMER, 0, 1);
    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(answer.text("msgId")).contains(waits.property("UNIQ_KEY"));
    assertThat(recall.property("TIMER_DEL_UNIQKEY")).isEqualTo("T+" + waits.property("UNIQ_KEY"));
    assertThat(recall.property("TIMER_OUT_MS")).isEqualTo(waits.property("TIMER_OUT_MS"));
  }

  @Test
  void shouldRefuseRecallsThatCannotBeAndSayWhy() throws Exception {
    broker.ask(send("T", 2, "there"));
    broker.ask(send("U", 0, "there"));
    long now = System.currentTimeMillis();

    refused(recall("T", new RecallHandle("T", "b", now - 1, "k").text()), ResultCode.ILLEGAL_OPERATION, "time has come");
    refused(recall("T", new RecallHandle("T", "b", now + 4 * DAY_MS, "k").text()), ResultCode.ILLEGAL_OPERATION, "later than any");
    refused(recall("T", new RecallHandle("T", "b", Long.MAX_VALUE, "k").text()), ResultCode.ILLEGAL_OPERATION, "later than any");
    refused(recall("T", new RecallHandle("T", "elsewhere", now + 5_000, "k").text()), ResultCode.ILLEGAL_OPERATION, "another broker");
    refused(recall("U", new RecallHandle("T", "b", now + 5_000, "k").text()), ResultCode.ILLEGAL_OPERATION, "another topic");
    refused(recall("T", "!garbage!"), ResultCode.ILLEGAL_OPERATION, "cannot be read");
    refused(recall("unknown", new RecallHandle("unknown", "b", now + 5_000, "k").text()), ResultCode.TOPIC_NOT_EXIST, "does not exist");
    refused(RemotingCommand.request(RequestCode.RECALL_MESSAGE).ext("topic", "T"), ResultCode.SYSTEM_ERROR, "recallHandle");
    assertThat(broker.maxOffset(Topics.TIMER, 0)).isZero();
  }

  @Test
  void shouldStoreNoRecallThatWouldNotBeOneRecordWithItsOwnProperties() throws Exception {
    broker.ask(send("T", 2, "there"));
    long inTimeMs = System.currentTimeMillis() + 60_000;

    refused(
        recall("T", new RecallHandle("T", "b", inTimeMs, "k\u0002TIMER_DEL_UNIQKEY\u0001U+k").text()), ResultCode.ILLEGAL_OPERATION,
        "cannot be read");
    refused(recall("T", new RecallHandle("T", "b", inTimeMs, "k".repeat(40_000)).text()), ResultCode.ILLEGAL_OPERATION, "too long");
    String good = new RecallHandle("T", "b", inTimeMs, "k").text();
    refused(recall("T", good).ext("producerGroup", "p\u0002REAL_QID\u00017"), ResultCode.ILLEGAL_OPERATION, "producerGroup");
    refused(recall("T", good).ext("producerGroup", "p".repeat(40_000)), ResultCode.ILLEGAL_OPERATION, "too long");
  }

  @Test
  void shouldRefuseRecallsUnlessTheyAreAllowed(@TempDir Path other) throws Exception {
    try (TestBroker without = TestBroker.withTimers(other, new TimerOptions(true, DAY_MS, false))) {
      String handle = without.ask(timer("TIMER_DELAY_SEC", "100")).text("recallHandle").orElseThrow();

      RemotingCommand answer = without.ask(recall("T", handle));

      assertThat(answer.code()).isEqualTo(ResultCode.NO_PERMISSION.wire());
      assertThat(answer.remark()).contains("recallMessageEnable");
    }
  }

  private void refused(RemotingCommand request, ResultCode code, String reason) throws Exception {
    RemotingCommand answer = broker.ask(request);
    assertThat(answer.code()).as(answer.remark()).isEqualTo(code.wire());
    assertThat(answer.remark()).contains(reason);
  }

  private static RemotingCommand recall(String topic, String handle) {
    return RemotingCommand.request(RequestCode.RECALL_MESSAGE)
        .ext("producerGroup", "pg").ext("topic", topic).ext("recallHandle", handle);
  }

  private static RemotingCommand timer(String property, String value) {
    return properties(property + "\u0001" + value + "\u0002");
  }

  private static RemotingCommand properties(String text) {
    return send("T", 2, "timed").ext("i", text);
  }
}
