package io.metaq.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** On a class path with Vert.x 4.5, as Quarkus has it. */
class OlderVertxIT {
  @Test
  void shouldTellThatTheServerNeedsANewerVertx() {
    EmbeddedMetaqException failure = catchThrowableOfType(
        EmbeddedMetaqException.class, () -> EmbeddedMetaq.start().await().atMost(Duration.ofSeconds(30)));

    assertThat(failure.reason()).isEqualTo(EmbeddedMetaqException.Reason.NEEDS_VERTX_5);
    assertThat(failure).hasMessageContaining("vertx-core-4.5").hasMessageContaining("docs/testing.md");
  }
}
