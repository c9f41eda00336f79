package io.metaq.it.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Queues;
import io.metaq.it.RawClient;
import io.metaq.it.RawFrame;
import io.metaq.it.RawFrame.Header;
import io.metaq.it.Requests;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The race of a pull that is about to be held with the message that should wake it. A lost wake-up shows as a pull that is
 * answered by its time-out, with 19, instead of with the message.
 */
@ExtendWith(SharedServer.class)
class LongPollRaceIT {

  private static final int ROUNDS = Integer.getInteger("metaq.it.raceRounds", 10_000);
  private static final long HOLD_MS = 20_000;

  private final Server server;
  private final String topic = Queues.freshName("race");

  LongPollRaceIT(Server server) {
    this.server = server;
  }

  @ParameterizedTest
  @EnumSource(Header.class)
  void shouldWakeEachHeldPullByItsMessage(Header header) throws Exception {
    try (RawClient sender = RawClient.connect(server.brokerPort()); RawClient puller = RawClient.connect(server.brokerPort())) {
      sender.call(Requests.send(topic, 0, "creates the topic"));
      Queues.readFirst(puller, topic, 0, 1);

      for (int round = 1; round <= ROUNDS; round++) {
        boolean sendFirst = round % 2 == 0;
        RawFrame pull = Requests.pull(topic, 0, round, 32, HOLD_MS).in(header);
        RawFrame send = Requests.send(topic, 0, "m" + round).in(header);
        int pulled = sendFirst ? 0 : puller.send(pull);
        int sent = sender.send(send);
        if (sendFirst) {
          pulled = puller.send(pull);
        }

        RawFrame answer = puller.await(pulled);
        assertThat(answer.code()).as("round %d: %s", round, answer).isZero();
        assertThat(answer.number("nextBeginOffset")).isEqualTo(round + 1);
        assertThat(sender.await(sent).code()).isZero();
      }
    }
  }

  @Test
  void shouldHoldAPullThatFindsNothingUntilItsTimeout() throws Exception {
    try (RawClient client = RawClient.connect(server.brokerPort())) {
      client.call(Requests.send(topic, 0, "creates the topic"));
      long start = System.nanoTime();
      RawFrame answer = client.call(Requests.pull(topic, 1, 0, 32, 1_500));
      long heldMs = (System.nanoTime() - start) / 1_000_000;

      assertThat(answer.code()).isEqualTo(19);
      assertThat(answer.number("nextBeginOffset")).isZero();
      assertThat(heldMs).isGreaterThanOrEqualTo(1_500);
    }
  }

  @Test
  void shouldWakeAHeldPullOnlyByAMessageOfItsTag() throws Exception {
    try (RawClient sender = RawClient.connect(server.brokerPort()); RawClient puller = RawClient.connect(server.brokerPort())) {
      sender.call(Requests.send(topic, 0, "creates the topic"));
      int held = puller.send(Requests.pull(topic, 1, 0, 32, HOLD_MS).ext("subscription", "blue"));
      sender.call(Requests.send(topic, 1, new byte[] {1}, "TAGS\u0001red\u0002"));
      sender.call(Requests.send(topic, 1, new byte[] {2}, "TAGS\u0001blue\u0002"));
      RawFrame answer = puller.await(held);
      if (answer.code() == 20) {
        answer = puller.call(Requests.pull(topic, 1, answer.number("nextBeginOffset"), 32, HOLD_MS).ext("subscription", "blue"));
      }

      assertThat(answer.code()).isZero();
      assertThat(answer.number("nextBeginOffset")).isEqualTo(2);
    }
  }
}
