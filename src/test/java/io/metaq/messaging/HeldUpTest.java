package io.metaq.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MemberStatus;
import io.metaq.client.Subscription;
import io.metaq.client.TopicQueue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeldUpTest {
  private final HeldUp heldUp = new HeldUp(null, Subscription.to("orders").group("billing"));

  @Test
  void shouldTellWhatHoldsUpAQueueOfTheTopic() {
    assertThat(words("orders", true))
        .isEqualTo("the message at 7 of " + queue("orders") + " has been neither acknowledged nor refused for 61000 ms and holds up its queue");
    assertThat(words("orders", false)).isEmpty();
  }

  @Test
  void shouldTellOfAMessageThatWasDeliveredAgainToo() {
    assertThat(words("%RETRY%billing", true)).contains("%RETRY%billing", "neither acknowledged nor refused");
  }

  @Test
  void shouldLeaveOtherTopicsOfTheGroupToTheirChannels() {
    assertThat(words("invoices", true)).isEmpty();
  }

  private String words(String topic, boolean stuck) {
    Optional<MemberStatus.Stuck> held = stuck ? Optional.of(new MemberStatus.Stuck(7, 61_000)) : Optional.empty();
    return heldUp.words(new MemberStatus("billing", "client", List.of(), List.of(
        new MemberStatus.Queue(queue(topic), MemberStatus.State.READING, false, 7, 9, 9, 0, 1, held))));
  }

  private static TopicQueue queue(String topic) {
    return new TopicQueue(topic, "broker-a", 0);
  }
}
