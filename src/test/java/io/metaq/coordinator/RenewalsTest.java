package io.metaq.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.HandClock;
import org.junit.jupiter.api.Test;

class RenewalsTest {
  private final PopRules rules = new PopRules("b1", PopRig.REVIVE, 1, 2, 3, 20, 100, 256 << 10, false);
  private final InFlight inFlight = new InFlight(1);
  private final ReviveQueue queue = inFlight.reviveQueues().get(0);
  private final PopRound round = new PopRound(1, false);
  private final Renewals renewals =
      new Renewals(inFlight, new ReviveLog(rules, new byte[] {127, 0, 0, 1, 0, 0, 0, 1}, new HandClock()), rules.span());

  @Test
  void shouldWriteAnewWhatHasFallenFarBehind() {
    inFlight.add(checkpoint(), 0);

    queue.wrote(rules.span() - 1);
    renewals.fill(round);
    assertThat(round.batch().count()).isZero();
    queue.wrote(rules.span());
    renewals.fill(round);

    assertThat(round.batch().count()).isEqualTo(1);
  }

  /** Its record stood behind the acknowledgement in the same batch without knowing of it: after a restart the message came again. */
  @Test
  void shouldWaitWithWhatIsBeingSettled() {
    Checkpoint old = checkpoint();
    inFlight.add(old, 0);
    queue.wrote(rules.span());

    old.leave(1);
    renewals.fill(round);
    assertThat(round.batch().count()).isZero();
    old.stay(1);
    inFlight.ack(old, 1);
    renewals.fill(round);

    assertThat(round.batch().count()).isEqualTo(1);
  }

  private static Checkpoint checkpoint() {
    return new Checkpoint(new PopQueue("g", "t", 0), 0, 1, 1, 0, new int[] {0, 1}, false, 0);
  }
}
