package io.metaq.broker;

import static io.metaq.broker.TestBroker.await;
import static io.metaq.broker.TestBroker.pull;
import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrokerVerticleTest {
  @TempDir
  Path folder;

  @Test
  void shouldGiveBackWhatWasSentInTheOrderItWasSent() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      for (int i = 0; i < 10; i++) {
        RemotingCommand answer = broker.ask(send("orders", 1, "m" + i));
        assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
        assertThat(answer.requireLong("queueOffset")).isEqualTo(i);
      }

      assertThat(bodies(broker, "orders", 1, 10)).containsExactly("m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9");
    }
  }

  @Test
  void shouldKeepTheOrderOfSendsThatWaitForTheirTopic() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      List<Future<RemotingCommand>> answers = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        answers.add(broker.request(send("fresh", 0, "m" + i)));
      }

      for (int i = 0; i < 50; i++) {
        assertThat(await(answers.get(i)).requireLong("queueOffset")).isEqualTo(i);
      }
    }
  }

  @Test
  void shouldWakeEveryHeldPullWhenItsMessageComes() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.ask(send("race", 0, "first"));
      for (int i = 1; i <= 2_000; i++) {
        Future<RemotingCommand> pulled = broker.request(pull("race", 0, i, 30_000));
        Future<RemotingCommand> sent = broker.request(send("race", 0, "m" + i));

        assertThat(await(sent).code()).isZero();
        assertThat(bodies(await(pulled))).containsExactly("m" + i);
      }
    }
  }

  /** Seen before: the pull was told that its offset had moved, to the end that the dispatcher had come to. */
  @Test
  void shouldHoldAPullForWhatIsStoredButNotYetDispatched() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.sendAndDispatch("orders", "m0");
      CountDownLatch latch = new CountDownLatch(1);
      broker.hold("dispatch", latch);
      for (int i = 1; i < 5; i++) {
        broker.ask(send("orders", 0, "m" + i));
        broker.ask(send("fresh", 0, "f" + i));
      }

      RemotingCommand now = broker.ask(pull("orders", 0, 4, 0));
      RemotingCommand beyond = broker.ask(pull("orders", 0, 6, 30_000));
      Future<RemotingCommand> held = broker.request(pull("orders", 0, 4, 30_000));
      Future<RemotingCommand> heldInANewQueue = broker.request(pull("fresh", 0, 3, 30_000));
      broker.ask(pull("orders", 0, 0, 0));
      latch.countDown();

      assertThat(now.code()).isEqualTo(ResultCode.PULL_NOT_FOUND.wire());
      assertThat(now.requireLong("nextBeginOffset")).isEqualTo(4);
      assertThat(beyond.code()).isEqualTo(ResultCode.PULL_OFFSET_MOVED.wire());
      assertThat(beyond.requireLong("nextBeginOffset")).isEqualTo(1);
      assertThat(bodies(await(held))).containsExactly("m4");
      assertThat(bodies(await(heldInANewQueue))).containsExactly("f4");
    }
  }

  @Test
  void shouldAnswerAHeldPullWhenItsTimeIsUp() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.sendAndDispatch("quiet", "only");

      RemotingCommand answer = broker.ask(pull("quiet", 0, 1, 200));

      assertThat(answer.code()).isEqualTo(ResultCode.PULL_NOT_FOUND.wire());
      assertThat(answer.requireLong("nextBeginOffset")).isEqualTo(1);
    }
  }

  @Test
  void shouldSayThatTheLogIsGoneWhenTheWriterIs() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.ask(send("orders", 0, "stored"));
      broker.stopWriter();

      RemotingCommand answer = broker.ask(send("orders", 0, "refused"));

      assertThat(answer.code()).isEqualTo(ResultCode.SERVICE_NOT_AVAILABLE.wire());
      assertThat(answer.remark()).contains("commit log is not running");
    }
  }

  @Test
  void shouldHoldBackSendersWhileTheWriterIsStuckAndAnswerAllAfterwards() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.ask(send("orders", 0, "first"));
      CountDownLatch latch = new CountDownLatch(1);
      broker.hold(TestBroker.LOG_POOL, TestBroker.LOG_THREADS, latch);
      String body = "x".repeat(16_000);

      List<Future<RemotingCommand>> answers =
          IntStream.range(0, 2_000).mapToObj(i -> broker.request(send("orders", 0, body))).toList();
      latch.countDown();

      Set<Long> offsets = new HashSet<>();
      for (Future<RemotingCommand> answer : answers) {
        assertThat(await(answer).code()).isZero();
        offsets.add(await(answer).requireLong("queueOffset"));
      }
      assertThat(offsets).hasSize(2_000);
    }
  }

  @Test
  void shouldAnswerWithTheTimeoutWhenNobodyForcesTheLog() throws Exception {
    try (TestBroker broker = new TestBroker(folder, true, false)) {
      RemotingCommand answer = broker.ask(send("orders", 0, "unforced"));

      assertThat(answer.code()).isEqualTo(ResultCode.FLUSH_DISK_TIMEOUT.wire());
      assertThat(answer.requireText("msgId")).hasSize(32);
      assertThat(answer.requireLong("queueOffset")).isZero();
    }
  }

  @Test
  void shouldAcknowledgeAfterTheForceUnderSyncFlush() throws Exception {
    try (TestBroker broker = new TestBroker(folder, true, true)) {
      List<Future<RemotingCommand>> answers =
          IntStream.range(0, 200).mapToObj(i -> broker.request(send("orders", i % 4, "m" + i))).toList();

      for (Future<RemotingCommand> answer : answers) {
        assertThat(await(answer).code()).isZero();
      }
      assertThat(bodies(broker, "orders", 3, 50)).startsWith("m3", "m7").endsWith("m199");
    }
  }

  /** Seen before: loops know a new topic before its file is written, and sends in between overtook those that waited. */
  @Test
  void shouldNotLetASendOvertakeOnesThatWaitForTheirTopic() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.ask(pull("no topic, but its group is made", 0, 0, 0));
      CountDownLatch latch = new CountDownLatch(1);
      broker.hold("config", latch);
      Future<RemotingCommand> first = broker.request(send("fresh", 0, "first"));
      while (broker.ask(pull("fresh", 0, 0, 0)).code() == ResultCode.TOPIC_NOT_EXIST.wire()) {
        Thread.onSpinWait();
      }

      Future<RemotingCommand> second = broker.request(send("fresh", 0, "second"));
      broker.ask(pull("fresh", 0, 0, 0));
      latch.countDown();

      assertThat(await(first).requireLong("queueOffset")).isZero();
      assertThat(await(second).requireLong("queueOffset")).isEqualTo(1);
    }
  }

  /** Seen before: no answer at all. */
  @Test
  void shouldRefuseTheVeryFirstPullWhenItsGroupCannotExist() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      RemotingCommand answer = broker.ask(pull("orders", 0, 0, 0).ext("consumerGroup", "no such group!"));

      assertThat(answer.code()).isEqualTo(ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST.wire());
    }
  }

  /** Seen before: the pull was held, woken at once, and held again, until its time was up, and stayed where it was. */
  @Test
  void shouldTellAPullAtOnceOfAHoleInItsQueueAndServeWhatLiesBehind() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      for (int i = 0; i < 5; i++) {
        broker.ask(send("orders", 0, "m" + i));
      }
    }
    try (FileChannel units = FileChannel.open(folder.resolve("consumequeue/orders/0/00000000000000000000"), StandardOpenOption.WRITE)) {
      units.write(ByteBuffer.allocate(QueueUnit.SIZE), 3 * QueueUnit.SIZE);
    }

    try (TestBroker broker = new TestBroker(folder, false, true)) {
      RemotingCommand answer = broker.ask(pull("orders", 0, 3, 60_000));
      RemotingCommand behind = broker.ask(pull("orders", 0, 4, 0));

      assertThat(answer.code()).isEqualTo(ResultCode.SYSTEM_ERROR.wire());
      assertThat(answer.remark()).contains("message 3 of queue orders/0 cannot be read");
      assertThat(behind.code()).isEqualTo(ResultCode.SUCCESS.wire());
      assertThat(behind.requireLong("nextBeginOffset")).isEqualTo(5);
    }
  }

  /** Seen before: all of them were copied to the heap, for a client that takes no such frame. */
  @Test
  void shouldBoundTheBytesOfAQueryByKey() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      String body = "x".repeat(1 << 20);
      for (int i = 0; i < 6; i++) {
        broker.ask(send("orders", 0, body).ext("i", "KEYS\u0001k\u0002"));
      }
      broker.ask(pull("orders", 0, 5, 20_000));

      RemotingCommand answer = broker.ask(
          RemotingCommand.request(RequestCode.QUERY_MESSAGE).ext("topic", "orders").ext("key", "k").ext("maxNum", 32)
              .ext("beginTimestamp", 0).ext("endTimestamp", Long.MAX_VALUE));

      assertThat(answer.body().length).isBetween(3 << 20, LookUpHandler.MAX_ANSWER_BYTES);
    }
  }

  @Test
  void shouldFindByTagWhenAskedForAndNothingWhenNothingIsWanted() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.ask(send("orders", 0, "first").ext("i", "TAGS\u0001red\u0002KEYS\u0001k\u0002"));
      broker.ask(pull("orders", 0, 0, 20_000));

      assertThat(broker.ask(query("red", 32).ext("indexType", "T")).code()).isEqualTo(ResultCode.SUCCESS.wire());
      assertThat(broker.ask(query("red", 32)).code()).isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
      assertThat(broker.ask(query("k", 32).ext("indexType", "K")).code()).isEqualTo(ResultCode.SUCCESS.wire());
      assertThat(broker.ask(query("k", 0)).code()).as("none wanted").isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
      assertThat(broker.ask(query("k", -1)).code()).isEqualTo(ResultCode.QUERY_NOT_FOUND.wire());
    }
  }

  private static RemotingCommand query(String key, int most) {
    return RemotingCommand.request(RequestCode.QUERY_MESSAGE).ext("topic", "orders").ext("key", key).ext("maxNum", most)
        .ext("beginTimestamp", 0).ext("endTimestamp", Long.MAX_VALUE);
  }

  @Test
  void shouldTakeNoRequestsAnyMoreWhileItStops() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.ask(send("orders", 0, "first"));
      Future<RemotingCommand> held = broker.request(pull("orders", 0, 1, 20_000));
      broker.ask(pull("orders", 0, 0, 0));
      CountDownLatch latch = new CountDownLatch(1);
      broker.hold(TestBroker.LOG_POOL, TestBroker.LOG_THREADS, latch);
      Future<RemotingCommand> underWay = broker.request(send("orders", 1, "under way"));
      broker.ask(pull("orders", 0, 0, 0));

      Future<Void> stopped = broker.stopBroker();
      await(held);
      broker.request(send("orders", 2, "too late"));
      latch.countDown();
      await(stopped);

      assertThat(await(underWay).code()).isZero();
      assertThat(broker.maxOffset("orders", 2)).isZero();
    }
  }

  /** Pulls a queue until it gave {@code count} messages: they become readable a moment after they were acknowledged. */
  private static List<String> bodies(TestBroker broker, String topic, int queueId, int count) throws Exception {
    List<String> bodies = new ArrayList<>();
    while (bodies.size() < count) {
      bodies.addAll(bodies(broker.ask(pull(topic, queueId, bodies.size(), 30_000))));
    }
    return bodies;
  }

  private static List<String> bodies(RemotingCommand answer) {
    assertThat(answer.code()).as(String.valueOf(answer.remark())).isZero();
    List<String> bodies = new ArrayList<>();
    ByteBuffer records = ByteBuffer.wrap(answer.body());
    for (int at = 0; at < records.capacity(); at += records.getInt(at)) {
      bodies.add(new String(StoredMessage.decode(records, at).body(), StandardCharsets.UTF_8));
    }
    return bodies;
  }
}
