package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PendingProgressTest {
  private final AtomicLong copied = new AtomicLong(99);
  private final PendingProgress progress = new PendingProgress(copied::get);

  @Test
  void shouldWaitUntilTheLogIsThere() {
    MasterTold told = told(100);
    progress.add(told);

    assertThat(progress.take()).isEmpty();
    assertThat(progress.isEmpty()).isFalse();
    copied.set(100);
    assertThat(progress.take()).contains(told);
    assertThat(progress.isEmpty()).isTrue();
    assertThat(progress.take()).isEmpty();
  }

  @Test
  void shouldGetOnThoughTheMasterIsAlwaysAhead() {
    MasterTold first = told(100);
    progress.add(first);
    progress.add(told(200));
    copied.set(150);

    assertThat(progress.take()).contains(first);
    progress.add(told(250));
    copied.set(250);
    assertThat(progress.take()).contains(told(250));
  }

  @Test
  void shouldNotGoBackBehindWhatTheMasterWasTold() {
    progress.add(told(100));

    MasterTold later = new MasterTold(Optional.empty(), Optional.empty(), 200, true);
    progress.add(later);
    copied.set(200);

    assertThat(progress.take()).contains(later);
    assertThat(progress.take()).isEmpty();
  }

  @Test
  void shouldForgetWhatALogHasThatIsNotCopiedAnyMore() {
    progress.add(told(100));

    progress.drop();
    copied.set(100);

    assertThat(progress.isEmpty()).isTrue();
    assertThat(progress.take()).isEmpty();
  }

  private static MasterTold told(long logEnd) {
    return new MasterTold(Optional.empty(), Optional.empty(), logEnd, false);
  }
}
