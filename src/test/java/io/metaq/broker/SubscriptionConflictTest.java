package io.metaq.broker;

import static io.metaq.it.Heartbeats.sql;
import static io.metaq.it.Heartbeats.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.it.Await;
import io.metaq.it.Heartbeats;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import io.metaq.model.RequestCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two members of one group that want different messages of a topic: none is passed over for good. */
class SubscriptionConflictTest {
  private static final int COMMIT = 15;
  private static final int LEAVE = 35;
  private static final int MOVED = 21;
  private static final int RETRY = 20;
  private static final int NOBODY = 24;
  private static final int NOT_LATEST = 25;
  private static final Duration PATIENCE = Duration.ofSeconds(50);

  @TempDir
  Path folder;
  private TestBroker broker;
  private RawClient reader;
  private RawClient other;

  @BeforeEach
  void startWithMessagesOfTwoKinds() throws Exception {
    broker = new TestBroker(folder, false, true);
    for (String tag : List.of("a", "a", "b", "a", "b", "c")) {
      broker.ask(TestBroker.send("orders", 0, tag).ext("i", "TAGS\u0001" + tag + "\u0002kind\u0001" + tag + "\u0002"));
    }
    broker.sendAndDispatch("orders", "a");
    reader = RawClient.connect(broker.port());
    other = RawClient.connect(broker.port());
  }

  @AfterEach
  void stop() throws Exception {
    reader.close();
    other.close();
    broker.close();
  }

  @Test
  void shouldGiveEachMemberWhatItWantsWhoeverSpokeLast() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));

    assertThat(texts(reader.call(pull(0)))).containsExactly("a", "a", "a", "a");
    assertThat(texts(other.call(pull(0)))).containsExactly("b", "b");
  }

  @Test
  void shouldHoldTheProgressInFrontOfWhatTheOtherWants() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));

    RawFrame early = reader.call(commit(1));
    RawFrame late = reader.call(commit(7));
    long held = offset();
    reader.call(pull(7).ext("sysFlag", 1).ext("commitOffset", 7));

    assertThat(early.remark()).isNull();
    assertThat(late.remark()).contains("the progress is held at 2");
    assertThat(held).isEqualTo(2);
    assertThat(offset()).isEqualTo(2);
  }

  @Test
  void shouldLetTheNextReaderFindWhatTheFirstPassedOver() throws Exception {
    join(tags("orders", "a"), tags("orders", "a", "b"));
    reader.call(pull(0));
    reader.call(commit(7));

    reader.close();
    assertThat(texts(other.call(pull(offset())))).containsExactly("b", "a", "b", "a");
    other.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  /** Seen before: the hold went with the connection, and the reader, which goes on from its own memory, committed past the message. */
  @Test
  void shouldHoldForAReaderThatComesBackOverAnotherConnection() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));
    reader.call(commit(3));

    reader.close();
    reader = RawClient.connect(broker.port());
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    reader.call(pull(7));
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(2);
  }

  /** Seen before: what was held, and who wanted what, were forgotten with the process, and the reader committed past the messages. */
  @Test
  void shouldHoldThroughARestartOfTheBrokerForAReaderThatGoesOnFromItsOwnMemory() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));
    reader.call(commit(7));

    restart();
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    reader.call(pull(7));
    reader.call(commit(7));
    long held = offset();
    other.call(Heartbeats.consumer("c2", "g", tags("orders", "b")));

    assertThat(held).isEqualTo(2);
    assertThat(texts(other.call(pull(held)))).containsExactly("b", "b");
    other.call(commit(7));
  }

  @Test
  void shouldHoldWhatTheFirstToComeBackAfterARestartPassesOverThoughTheOtherIsStillAway() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));

    restart();
    assertThat(reader.call(pull(0)).code()).as("nobody has said anything yet").isEqualTo(NOBODY);
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    assertThat(texts(reader.call(pull(0)))).containsExactly("a", "a", "a", "a");
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(2);
  }

  @Test
  void shouldHoldNothingAfterARestartWhenTheMembersAgreedBefore() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));
    String newer = tags("orders", "a").replace("\"subVersion\":1", "\"subVersion\":2");
    other.call(Heartbeats.consumer("c2", "g", newer));

    restart();
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    reader.call(pull(7));
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  /** Seen before: it went on to wait with what it knew when it came, and passed over in silence what the new member wants. */
  @Test
  void shouldNotLetAReaderWaitThatWasJoinedByAThirdOneWhileItsHoldWasWritten() throws Exception {
    join(tags("orders", "z"), tags("orders", "b"));
    try (RawClient third = RawClient.connect(broker.port()); SlowFiles slow = new SlowFiles()) {
      int waiting = reader.send(patientPull());
      hearOfOffsets(reader);
      third.send(Heartbeats.consumer("c3", "g", tags("orders", "a")));
      awaitMember("c3");
      slow.close();

      RawFrame answer = reader.await(waiting);

      assertThat(answer.code()).as(answer.toString()).isEqualTo(RETRY);
    }
  }

  @Test
  void shouldNotLetAReaderWaitWhoseGroupWasMovedWhileItsHoldWasWritten() throws Exception {
    join(tags("orders", "z"), tags("orders", "b"));
    try (SlowFiles slow = new SlowFiles()) {
      int waiting = reader.send(patientPull());
      hearOfOffsets(reader);
      broker.request(RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
          .ext("group", "g").ext("topic", "orders").ext("timestamp", 0).ext("isForce", true).ext("queueId", 0).ext("offset", 5));
      Await.until("the group is moved", PATIENCE, () -> reader.call(Requests.committedOffset("g", "orders", 0)).code() == 0
          && reader.call(Requests.committedOffset("g", "orders", 0)).number("offset") == 5);
      slow.close();

      assertThat(reader.await(waiting).code()).isEqualTo(RETRY);
      assertThat(reader.call(pull(7)).code()).isEqualTo(MOVED);
    }
  }

  /** Who joins a side that is being written down could be all that is known of the contradiction after a kill. */
  @Test
  void shouldAnswerOneThatJoinsASideOnlyWhenWhatTheSidesWantIsOnTheDisk() throws Exception {
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    try (RawClient third = RawClient.connect(broker.port()); SlowFiles slow = new SlowFiles()) {
      other.send(Heartbeats.consumer("c2", "g", tags("orders", "b")));
      awaitMember("c2");

      int joining = third.send(Heartbeats.consumer("c3", "g", tags("orders", "b")));
      for (int i = 0; i < 5; i++) {
        int question = third.send(members());
        assertThat(nextAnswer(third).opaque()).isEqualTo(question);
      }
      slow.close();

      assertThat(third.await(joining).code()).isZero();
    }
  }

  private static RawFrame nextAnswer(RawClient client) throws Exception {
    RawFrame frame = client.receive();
    while ((frame.flag() & 1) == 0) {
      frame = client.receive();
    }
    return frame;
  }

  /** Nothing is written under {@code config} until it is closed. */
  private final class SlowFiles implements AutoCloseable {
    private final CountDownLatch latch = new CountDownLatch(1);

    SlowFiles() throws Exception {
      broker.hold("config", latch);
    }

    @Override
    public void close() {
      latch.countDown();
    }
  }

  /** Returns when the reader's loop knows of a member. */
  private void awaitMember(String clientId) throws Exception {
    Await.until(clientId + " is a member", PATIENCE, () ->
        new String(reader.call(members()).body(), StandardCharsets.UTF_8).contains('"' + clientId + '"'));
  }

  private static RawFrame members() {
    return RawFrame.request(RequestCode.GET_CONSUMER_CONNECTION_LIST.wire()).ext("consumerGroup", "g");
  }

  /** Waits for longer than anybody does, when it may. */
  private static RawFrame patientPull() {
    return pull(0).ext("sysFlag", 2).ext("suspendTimeoutMillis", 600_000);
  }

  private void restart() throws Exception {
    stop();
    broker = new TestBroker(folder, false, true);
    reader = RawClient.connect(broker.port());
    other = RawClient.connect(broker.port());
  }

  @Test
  void shouldHoldThroughAMomentWithoutAnyMember() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));
    reader.call(leave("c1"));
    other.call(leave("c2"));

    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    reader.call(pull(7));
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(2);
  }

  /** Seen before: what one reader had held was brought back by its next commit, after another one had consumed far beyond it. */
  @Test
  void shouldNotFallBackBehindWhatTheNextReaderConsumed() throws Exception {
    join(tags("orders", "a"), tags("orders", "a", "b"));
    reader.call(pull(0));
    reader.call(commit(7));
    other.call(pull(offset()));
    other.call(commit(7));

    reader.call(pull(offset()));
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  @Test
  void shouldHoldNothingInFrontOfWhereTheGroupWasMoved() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));

    broker.ask(RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
        .ext("group", "g").ext("topic", "orders").ext("timestamp", 0).ext("isForce", true).ext("queueId", 0).ext("offset", 5));
    hearOfOffsets(reader);
    assertThat(reader.call(pull(7)).code()).isEqualTo(MOVED);
    reader.call(pull(5));
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  /** Seen before: it was given what another member wants, which it drops by its own filter. */
  @Test
  void shouldNotServeAReaderWhoseWishIsNotKnownByTheFilterOfAnother() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    try (RawClient anew = RawClient.connect(broker.port())) {
      RawFrame early = anew.call(pull(0));
      anew.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));

      assertThat(early.code()).isEqualTo(NOT_LATEST);
      assertThat(early.remark()).contains("its next heartbeat says it");
      assertThat(texts(anew.call(pull(0)))).containsExactly("a", "a", "a", "a");
    }
  }

  @Test
  void shouldNotHoldWhatNobodyWants() throws Exception {
    join(tags("orders", "a", "b"), tags("orders", "a"));
    reader.call(pull(0));

    reader.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  @Test
  void shouldLetGoWhenAllWantTheSame() throws Exception {
    join(tags("orders", "a"), tags("orders", "b"));
    reader.call(pull(0));
    String newer = tags("orders", "a").replace("\"subVersion\":1", "\"subVersion\":2");

    other.call(Heartbeats.consumer("c2", "g", newer));
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    reader.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  @Test
  void shouldLetAReaderThatWaitsComeAgainWhenAnotherOneContradictsIt() throws Exception {
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    int waiting = reader.send(pull(7).ext("sysFlag", 2).ext("suspendTimeoutMillis", 60_000));
    hearOfOffsets(reader); // answered behind the pull, which waits by now
    other.call(Heartbeats.consumer("c2", "g", tags("orders", "b")));

    RawFrame sentAway = reader.await(waiting);
    int again = reader.send(pull(7).ext("sysFlag", 2).ext("suspendTimeoutMillis", 60_000));
    broker.ask(TestBroker.send("orders", 0, "b").ext("i", "TAGS\u0001b\u0002"));
    broker.sendAndDispatch("orders", "a");
    reader.await(again);
    reader.call(commit(9));

    assertThat(sentAway.code()).isEqualTo(19);
    assertThat(offset()).isEqualTo(7);
  }

  @Test
  void shouldHoldForExpressionsToo() throws Exception {
    join(sql("orders", "kind = 'a'"), sql("orders", "kind IN ('b', 'c')"));
    assertThat(texts(reader.call(pull(0).ext("expressionType", "SQL92")))).containsExactly("a", "a", "a");

    reader.call(commit(7));

    assertThat(offset()).isEqualTo(2);
  }

  @Test
  void shouldNotCountWhatBroadcastMembersWant() throws Exception {
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    other.call(Heartbeats.ofModel("BROADCASTING", "c2", "g", tags("orders", "b")));
    reader.call(pull(0));

    reader.call(commit(7));

    assertThat(offset()).isEqualTo(7);
  }

  @Test
  void shouldServeMembersOfDifferentTopics() throws Exception {
    broker.sendAndDispatch("payments", "p");
    reader.call(Heartbeats.consumer("c1", "g", tags("orders")));
    other.call(Heartbeats.consumer("c2", "g", tags("payments")));

    assertThat(reader.call(pull(0)).code()).isZero();
    assertThat(other.call(pull(0).ext("topic", "payments")).code()).isZero();
    RawFrame strange = other.call(pull(0));
    assertThat(strange.code()).isEqualTo(24);
  }

  @Test
  void shouldShowToolsWhoWantsWhat() throws Exception {
    reader.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));
    assertThat(connections()).doesNotContain("metaqContradictions");

    other.call(Heartbeats.consumer("c2", "g", tags("orders", "b", "a")));

    assertThat(connections()).containsPattern("\"metaqContradictions\":\\["
        + "\"c1 at 127.0.0.1:\\d+ wants CONSUME_PASSIVELY CLUSTERING orders\\[a\\]\","
        + "\"c2 at 127.0.0.1:\\d+ wants CONSUME_PASSIVELY CLUSTERING orders\\[a \\|\\| b\\]\"\\]");
  }

  @Test
  void shouldTellAClientThatItIsRefusedAndTakeItInWhenItAgrees(@TempDir Path another) throws Exception {
    try (TestBroker strict = TestBroker.refusingContradictions(another);
        RawClient first = RawClient.connect(strict.port());
        RawClient second = RawClient.connect(strict.port())) {
      first.call(Heartbeats.consumer("c1", "g", tags("orders", "a")));

      RawFrame refused = second.call(Heartbeats.consumer("c2", "g", tags("orders", "b")));
      RawFrame agreed = second.call(Heartbeats.consumer("c2", "g", tags("orders", "a")));

      assertThat(refused.code()).isEqualTo(16);
      assertThat(refused.remark()).startsWith("client c2 is not taken into group g: it wants ");
      assertThat(agreed.code()).as(agreed.toString()).isZero();
    }
  }

  /**
   * Both become members, and each one's loop knows of the other: a heartbeat is answered behind what was told to its loop before.
   */
  private void join(String readerWants, String otherWants) throws Exception {
    reader.call(Heartbeats.consumer("c1", "g", readerWants));
    other.call(Heartbeats.consumer("c2", "g", otherWants));
    reader.call(Heartbeats.consumer("c1", "g", readerWants));
  }

  /** Returns when the connection's loop knows whatever the coordinator of offsets has told all loops before. */
  private static void hearOfOffsets(RawClient client) throws Exception {
    client.call(Requests.committedOffset("g", "orders", 0));
  }

  private String connections() throws Exception {
    RemotingCommand answer =
        broker.ask(RemotingCommand.request(RequestCode.GET_CONSUMER_CONNECTION_LIST).ext("consumerGroup", "g"));
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private long offset() throws Exception {
    return other.call(Requests.committedOffset("g", "orders", 0)).number("offset");
  }

  private static List<String> texts(RawFrame answer) {
    assertThat(answer.code()).as(answer.toString()).isZero();
    return StoredRecord.readAll(answer.body()).stream().map(StoredRecord::text).toList();
  }

  private static RawFrame commit(long queueOffset) {
    return RawFrame.request(COMMIT).ext("consumerGroup", "g").ext("topic", "orders").ext("queueId", 0).ext("commitOffset", queueOffset);
  }

  private static RawFrame leave(String clientId) {
    return RawFrame.request(LEAVE).ext("clientID", clientId).ext("consumerGroup", "g");
  }

  private static RawFrame pull(long queueOffset) {
    return Requests.pull("orders", 0, queueOffset, 32, 0).ext("consumerGroup", "g").ext("sysFlag", 0).ext("subVersion", 1);
  }
}
