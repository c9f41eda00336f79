package io.metaq.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.Delivery;
import io.metaq.client.Failures;
import io.metaq.client.FoundMessage;
import io.metaq.client.Message;
import io.metaq.client.MetaqException.Reason;
import io.metaq.client.TopicQueue;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a channel does with a message that was processed, and with one that could not be. */
@Timeout(180)
class SettlingTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final IllegalStateException REASON = new IllegalStateException("cannot take it");

  private final List<Throwable> stopped = new ArrayList<>();
  private final Settled delivery = new Settled();

  @Test
  void shouldAcknowledgeWhatWasProcessed() {
    await(settling(FailureStrategy.RETRY).processed(delivery));

    assertThat(delivery.calls).containsExactly("ack");
  }

  @Test
  void shouldSendBackWithTheDelayOfTheBrokerOrItsOwn() {
    await(settling(FailureStrategy.RETRY).failed(delivery, REASON));
    await(new Settling("in", FailureStrategy.RETRY, Optional.of(Duration.ofSeconds(5)), stopped::add).failed(delivery, REASON));

    assertThat(delivery.calls).containsExactly("nack", "nack PT5S");
  }

  @Test
  void shouldBringToTheDeadLettersAtOnce() {
    await(settling(FailureStrategy.DEAD_LETTER_QUEUE).failed(delivery, REASON));

    assertThat(delivery.calls).singleElement().satisfies(call -> assertThat(call).startsWith("nack PT-"));
  }

  @Test
  void shouldAcknowledgeWhatItPassesOver() {
    await(settling(FailureStrategy.IGNORE).failed(delivery, REASON));

    assertThat(delivery.calls).containsExactly("ack");
    assertThat(stopped).isEmpty();
  }

  @Test
  void shouldStopAndSettleNothing() {
    assertThat(failure(settling(FailureStrategy.FAIL).failed(delivery, REASON))).isSameAs(REASON);

    assertThat(stopped).containsExactly(REASON);
    assertThat(delivery.calls).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = Reason.class, names = {"QUEUE_LOST", "CLOSED"})
  void shouldTakeForDoneWhatIsDeliveredAgainElsewhere(Reason reason) {
    delivery.faults.addAll(List.of(reason, reason));

    await(settling(FailureStrategy.RETRY).processed(delivery));
    await(settling(FailureStrategy.RETRY).failed(delivery, REASON));

    assertThat(delivery.calls).containsExactly("ack", "nack");
  }

  @Test
  void shouldSendBackAgainUntilABrokerTakesIt() {
    delivery.faults.addAll(List.of(Reason.CONNECTION, Reason.TIMEOUT));

    await(settling(FailureStrategy.RETRY).failed(delivery, REASON));

    assertThat(delivery.calls).containsExactly("nack", "nack", "nack");
  }

  @ParameterizedTest
  @EnumSource(value = Reason.class, names = {"ALREADY_SETTLED", "INVALID"})
  void shouldNotTryAgainWhatStaysWrong(Reason reason) {
    delivery.faults.add(reason);

    assertThat(failure(settling(FailureStrategy.RETRY).failed(delivery, REASON))).hasMessageContaining("faulty");
    assertThat(delivery.calls).containsExactly("nack");
  }

  private Settling settling(FailureStrategy strategy) {
    return new Settling("in", strategy, Optional.empty(), stopped::add);
  }

  private static void await(Uni<Void> settlement) {
    settlement.await().atMost(LIMIT);
  }

  private static Throwable failure(Uni<Void> settlement) {
    return settlement.onItem().<Throwable>transform(done -> null).onFailure().recoverWithItem(failed -> failed).await().atMost(LIMIT);
  }

  /** Notes how it is settled, and fails as often as it is told. */
  private static final class Settled implements Delivery {
    private final List<String> calls = new ArrayList<>();
    private final Deque<Reason> faults = new ArrayDeque<>();

    private Uni<Void> settled(String call) {
      return Uni.createFrom().deferred(() -> {
        calls.add(call);
        return faults.isEmpty() ? Uni.createFrom().voidItem() : Uni.createFrom().failure(Failures.of(faults.poll()));
      });
    }

    @Override
    public Uni<Void> ack() {
      return settled("ack");
    }

    @Override
    public Uni<Void> nack() {
      return settled("nack");
    }

    @Override
    public Uni<Void> nack(Duration delay) {
      return settled("nack " + delay);
    }

    @Override
    public Message message() {
      return Message.to("T").body("text");
    }

    @Override
    public String messageId() {
      return "id";
    }

    @Override
    public TopicQueue queue() {
      return new TopicQueue("T", broker(), queueId());
    }

    @Override
    public String broker() {
      return "b0";
    }

    @Override
    public int queueId() {
      return 0;
    }

    @Override
    public long queueOffset() {
      return 0;
    }

    @Override
    public long bornTimestampMs() {
      return 0;
    }

    @Override
    public long storeTimestampMs() {
      return 0;
    }

    @Override
    public int reconsumeTimes() {
      return 0;
    }

    @Override
    public FoundMessage found() {
      throw new UnsupportedOperationException();
    }
  }
}
