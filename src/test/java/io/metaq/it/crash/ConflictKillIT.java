package io.metaq.it.crash;

import static io.metaq.it.Heartbeats.tags;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Heartbeats;
import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.Requests;
import io.metaq.it.StoredRecord;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * kill -9 in the moment a reader has been given what lies behind a message that another member of its group wants: the reader goes on
 * from its own memory, and the message is still there for the other one.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConflictKillIT {
  private static final int COMMIT = 15;
  private static final String GROUP = "contradicting";

  @TempDir
  private Path data;

  @Test
  void shouldKeepWhatAnotherMemberWantsThroughAKill() throws Exception {
    String topic = Queues.freshName("conflict");
    try (BrokerProcess broker = BrokerProcess.standalone(data).start()) {
      try (RawClient red = RawClient.connect(broker.brokerPort()); RawClient blue = RawClient.connect(broker.brokerPort())) {
        for (String tag : List.of("red", "blue", "red", "blue", "red")) {
          red.call(Requests.send(topic, 0, tag).ext("i", "TAGS\u0001" + tag + "\u0002"));
        }
        Queues.readFirst(red, topic, 0, 5);
        red.call(Heartbeats.consumer("red", GROUP, tags(topic, "red")));
        blue.call(Heartbeats.consumer("blue", GROUP, tags(topic, "blue")));
        red.call(Heartbeats.consumer("red", GROUP, tags(topic, "red")));
        assertThat(texts(red.call(pull(topic, 0)))).containsExactly("red", "red", "red");
      }
      broker.kill();

      broker.startAgain();

      try (RawClient red = RawClient.connect(broker.brokerPort()); RawClient blue = RawClient.connect(broker.brokerPort())) {
        red.call(Heartbeats.consumer("red", GROUP, tags(topic, "red")));
        for (String tag : List.of("blue", "red")) {
          red.call(Requests.send(topic, 0, tag).ext("i", "TAGS\u0001" + tag + "\u0002"));
        }
        Queues.readFirst(red, topic, 0, 7);
        assertThat(texts(red.call(pull(topic, 5)))).containsExactly("red");
        red.call(commit(topic, 7));
        long next = red.call(Requests.committedOffset(GROUP, topic, 0)).number("offset");
        blue.call(Heartbeats.consumer("blue", GROUP, tags(topic, "blue")));

        assertThat(next).isEqualTo(1);
        assertThat(texts(blue.call(pull(topic, next)))).containsExactly("blue", "blue", "blue");
      }
    }
  }

  private static List<String> texts(RawFrame answer) {
    assertThat(answer.code()).as(answer.toString()).isZero();
    return StoredRecord.readAll(answer.body()).stream().map(StoredRecord::text).toList();
  }

  private static RawFrame pull(String topic, long queueOffset) {
    return Requests.pull(topic, 0, queueOffset, 32, 0).ext("consumerGroup", GROUP).ext("sysFlag", 0).ext("subVersion", 1);
  }

  private static RawFrame commit(String topic, long queueOffset) {
    return RawFrame.request(COMMIT).ext("consumerGroup", GROUP).ext("topic", topic).ext("queueId", 0).ext("commitOffset", queueOffset);
  }
}
