package io.metaq.broker;

import static io.metaq.broker.TestBroker.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the messages of a batch. */
class BatchSendsTest {
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

  @Test
  void shouldStoreEachMessageAsItIsAndNameThemAll() throws Exception {
    RemotingCommand answer = broker.ask(batch(message("one", "TAGS\u0001a\u0002"), message("", ""), message("three", "K\u0001v\u0002")));

    assertThat(answer.code()).isEqualTo(ResultCode.SUCCESS.wire());
    assertThat(answer.text("msgId").orElseThrow().split(",")).hasSize(3).doesNotHaveDuplicates();
    assertThat(answer.requireLong("queueOffset")).isZero();
    StoredMessage first = broker.stored("T", 1, 0);
    assertThat(new String(first.body(), StandardCharsets.UTF_8)).isEqualTo("one");
    assertThat(first.properties()).containsOnly(Map.entry("TAGS", "a"));
    assertThat(broker.stored("T", 1, 1).body()).isEmpty();
    assertThat(new String(broker.stored("T", 1, 2).body(), StandardCharsets.UTF_8)).isEqualTo("three");
    assertThat(broker.appendedMessages()).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELAY\u00013\u0002", "TRAN_MSG\u0001true\u0002", "TIMER_DELAY_SEC\u0001100\u0002"})
  void shouldStoreNothingOfABatchWithOneMessageThatIsNotAllowed(String properties) throws Exception {
    RemotingCommand refused = broker.ask(batch(message("one", ""), message("two", properties)));
    RemotingCommand next = broker.ask(batch(message("three", "")));

    assertThat(refused.code()).isEqualTo(ResultCode.MESSAGE_ILLEGAL.wire());
    assertThat(refused.remark()).contains("neither delayed nor part of a transaction");
    assertThat(next.requireLong("queueOffset")).isZero();
    assertThat(new String(broker.stored("T", 1, 0).body(), StandardCharsets.UTF_8)).isEqualTo("three");
    assertThat(broker.appendedMessages()).isEqualTo(1);
  }

  @Test
  void shouldLeaveAloneWhatCameInTheSameRoundAsARefusedBatch() throws Exception {
    Future<RemotingCommand> before = broker.request(send("T", 1, "before"));
    Future<RemotingCommand> refused = broker.request(batch(message("one", ""), message("two", "DELAY\u00013\u0002")));
    Future<RemotingCommand> after = broker.request(send("T", 1, "after"));

    assertThat(TestBroker.await(before).requireLong("queueOffset")).isZero();
    assertThat(TestBroker.await(refused).code()).isEqualTo(ResultCode.MESSAGE_ILLEGAL.wire());
    assertThat(TestBroker.await(after).requireLong("queueOffset")).isEqualTo(1);
    assertThat(new String(broker.stored("T", 1, 0).body(), StandardCharsets.UTF_8)).isEqualTo("before");
    assertThat(new String(broker.stored("T", 1, 1).body(), StandardCharsets.UTF_8)).isEqualTo("after");
  }

  private static RemotingCommand batch(byte[]... messages) {
    ByteBuffer all = ByteBuffer.allocate(1000);
    for (byte[] message : messages) {
      all.put(message);
    }
    byte[] body = new byte[all.flip().remaining()];
    all.get(body);
    return RemotingCommand.request(RequestCode.SEND_BATCH_MESSAGE)
        .ext("a", "pg").ext("b", "T").ext("c", "TBW102").ext("d", 4).ext("e", 1).ext("f", 0).ext("g", 1).ext("h", 0)
        .ext("i", "").ext("j", 0).ext("m", "true").body(body);
  }

  private static byte[] message(String body, String properties) {
    byte[] b = body.getBytes(StandardCharsets.UTF_8);
    byte[] p = properties.getBytes(StandardCharsets.UTF_8);
    int size = 22 + b.length + p.length;
    return ByteBuffer.allocate(size)
        .putInt(size).putInt(0).putInt(0).putInt(0).putInt(b.length).put(b).putShort((short) p.length).put(p).array();
  }
}
