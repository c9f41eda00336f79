package io.metaq.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever breaks a rule of Reactive Streams is told, and nothing goes on for him. */
class StrictMultiTest {
  private final AtomicInteger tries = new AtomicInteger();
  private final AtomicInteger cancels = new AtomicInteger();
  private final Multi<Integer> numbers = Multi.createFrom().<Integer>emitter(emitter -> {
    tries.incrementAndGet();
    emitter.emit(1).emit(2).emit(3);
  }).onCancellation().invoke(cancels::incrementAndGet);
  private final Multi<Integer> retried = numbers.onFailure().retry().withBackOff(Duration.ofMillis(1)).indefinitely().map(number -> number)
      .plug(StrictMulti::of);

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void shouldEndAndReadNoMoreWhenLessThanOneIsAskedFor(long demand) {
    AssertSubscriber<Integer> subscriber = retried.subscribe().withSubscriber(AssertSubscriber.create(1));

    subscriber.request(demand);

    subscriber.assertItems(1).assertFailedWith(IllegalArgumentException.class);
    assertThat(cancels).hasValue(1);
    assertThat(tries).hasValue(1);
  }

  @Test
  void shouldPassOnWhatIsAskedForAndCancelled() {
    AssertSubscriber<Integer> subscriber = retried.subscribe().withSubscriber(AssertSubscriber.create(1));

    subscriber.request(1);
    subscriber.assertItems(1, 2).assertNotTerminated();
    subscriber.cancel();

    assertThat(cancels).hasValue(1);
  }
}
