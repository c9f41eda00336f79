package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PopResetTest {
  @TempDir Path folder;

  /** The check point that is in flight stood for where the group is, and the group went on behind it. */
  @Test
  void shouldGoBackWhereAGroupWasPutThatHasNotPoppedSinceTheStart() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.sendAndDispatch("orders", "m");
      assertThat(broker.ask(pop()).code()).isZero();
    }

    try (TestBroker broker = new TestBroker(folder, false, true)) {
      assertThat(broker.ask(putBack()).code()).isZero();

      RemotingCommand again = broker.ask(pop());

      assertThat(again.code()).as(again.remark()).isZero();
      assertThat(again.text("msgOffsetInfo")).contains("0 0 0");
    }
  }

  @Test
  void shouldGoBackWhereAGroupWasPutThoughTheBrokerWasRestartedSince() throws Exception {
    try (TestBroker broker = new TestBroker(folder, false, true)) {
      broker.sendAndDispatch("orders", "m");
      assertThat(broker.ask(pop()).code()).isZero();
      assertThat(broker.ask(putBack()).code()).isZero();
    }

    try (TestBroker broker = new TestBroker(folder, false, true)) {
      RemotingCommand again = broker.ask(pop());

      assertThat(again.code()).as(again.remark()).isZero();
      assertThat(again.text("msgOffsetInfo")).contains("0 0 0");
    }
  }

  private static RemotingCommand putBack() {
    return RemotingCommand.request(RequestCode.UPDATE_CONSUMER_OFFSET)
        .ext("consumerGroup", "g").ext("topic", "orders").ext("queueId", 0).ext("commitOffset", 0);
  }

  private static RemotingCommand pop() {
    return RemotingCommand.request(RequestCode.POP_MESSAGE).ext("consumerGroup", "g").ext("topic", "orders").ext("queueId", 0)
        .ext("maxMsgNums", 32).ext("invisibleTime", 600_000).ext("pollTime", 10_000).ext("bornTime", 0).ext("initMode", 0);
  }
}
