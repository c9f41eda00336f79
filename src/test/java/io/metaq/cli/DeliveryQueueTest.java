package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class DeliveryQueueTest {
  private final DeliveryQueue queue = new DeliveryQueue();

  @Test
  void shouldTellAFailureAndNoMereEnd() {
    IllegalStateException failure = new IllegalStateException("no name server");

    queue.onError(failure);

    assertThat(queue.ended()).isFalse();
    assertThatThrownBy(queue::poll).isSameAs(failure);
  }

  @Test
  void shouldTellAFailureOfAnyKind() {
    queue.onError(new IOException("cut"));

    assertThat(queue.ended()).isFalse();
    assertThatThrownBy(queue::poll).hasRootCauseMessage("cut");
  }

  @Test
  void shouldEndWhenAllIsTaken() {
    queue.onComplete();

    assertThat(queue.poll()).isNull();
    assertThat(queue.ended()).isTrue();
  }
}
