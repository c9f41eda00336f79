package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.coordinator.api.GroupsProxy.LockedQueue;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueLocksTest {
  private static final LockedQueue Q0 = new LockedQueue("t", "b", 0);
  private static final LockedQueue Q1 = new LockedQueue("t", "b", 1);

  private final QueueLocks locks = new QueueLocks();

  @Test
  void shouldGrantAFreeQueueToTheFirstClientOnly() {
    assertThat(locks.lock("g", "c1", List.of(Q0), 0)).containsExactly(Q0);

    assertThat(locks.lock("g", "c2", List.of(Q0, Q1), 1)).containsExactly(Q1);
    assertThat(locks.lock("g", "c1", List.of(Q0, Q1), 2)).containsExactly(Q0);
  }

  @Test
  void shouldKeepGroupsApart() {
    locks.lock("g", "c1", List.of(Q0), 0);

    assertThat(locks.lock("h", "c2", List.of(Q0), 0)).containsExactly(Q0);
  }

  @Test
  void shouldHoldALeaseForExactlySixtySeconds() {
    locks.lock("g", "c1", List.of(Q0), 0);

    assertThat(locks.lock("g", "c2", List.of(Q0), 60_000)).isEmpty();
    assertThat(locks.anyHeld("g", 60_000)).isTrue();
    assertThat(locks.anyHeld("g", 60_001)).isFalse();
    assertThat(locks.lock("g", "c2", List.of(Q0), 60_001)).containsExactly(Q0);
  }

  @Test
  void shouldRenewALeaseWithEveryGrant() {
    locks.lock("g", "c1", List.of(Q0), 0);
    locks.lock("g", "c1", List.of(Q0), 50_000);

    assertThat(locks.lock("g", "c2", List.of(Q0), 110_000)).isEmpty();
  }

  @Test
  void shouldLetOnlyTheHolderGiveALockBack() {
    locks.lock("g", "c1", List.of(Q0), 0);

    locks.unlock("g", "c2", List.of(Q0));
    assertThat(locks.anyHeld("g", 1)).isTrue();

    locks.unlock("g", "c1", List.of(Q0, Q1));
    assertThat(locks.anyHeld("g", 1)).isFalse();
  }

  @Test
  void shouldUnlockNothingInAGroupItNeverHeardOf() {
    locks.unlock("g", "c1", List.of(Q0));

    assertThat(locks.anyHeld("g", 0)).isFalse();
  }

  @Test
  void shouldSweepOnlyWhatHasRunOut() {
    locks.lock("g", "c1", List.of(Q0), 0);
    locks.lock("g", "c1", List.of(Q1), 10_000);

    locks.sweep(60_001);

    assertThat(locks.lock("g", "c2", List.of(Q0, Q1), 60_002)).containsExactly(Q0);
  }
}
