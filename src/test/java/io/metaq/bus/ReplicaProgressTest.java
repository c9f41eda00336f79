package io.metaq.bus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReplicaProgressTest {
  private static final int POSITIONS = 200_000;

  private final ReplicaProgress progress = new ReplicaProgress();

  @Test
  void shouldTellOnlyTheLoopsThatAsked() {
    progress.await(0);
    progress.await(31);

    assertThat(progress.replicated(100)).isEqualTo(1L | 1L << 31);
  }

  @Test
  void shouldTellALoopOnceForEachTimeItAsks() {
    progress.await(3);
    progress.await(3);

    assertThat(progress.replicated(100)).isEqualTo(8);
    assertThat(progress.replicated(200)).isZero();
  }

  @Test
  void shouldSayAtOnceWhatWasReachedBefore() {
    assertThat(progress.await(0)).isEqualTo(-1);

    progress.replicated(100);

    assertThat(progress.await(0)).isEqualTo(100);
  }

  /** A loop that asks hears of the last position in one way or the other, however both fall together. */
  @Test
  @Timeout(60)
  void shouldLetNoLoopMissTheLastPosition() throws Exception {
    AtomicLong told = new AtomicLong(-1);
    Thread replication = new Thread(() -> {
      for (long position = 1; position <= POSITIONS; position++) {
        if (progress.replicated(position) != 0) {
          told.set(position);
        }
      }
    });

    replication.start();
    long known = -1;
    while (known < POSITIONS) {
      long before = told.get();
      known = Math.max(known, progress.await(0));
      while (known < POSITIONS && told.get() == before) {
        Thread.onSpinWait();
      }
      known = Math.max(known, told.get());
    }
    replication.join();

    assertThat(known).isEqualTo(POSITIONS);
  }
}
