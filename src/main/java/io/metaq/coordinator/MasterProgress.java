package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.OptionalLong;

/**
 * What a slave makes of what its master tells, one after the other: a second, and where the master's log ended a moment later. Everything
 * due before the second was delivered in front of that end. But part of the second may have been, too; so where the reading of the log has
 * to begin is told by earlier ends: one that was seen before an earlier second was told lies in front of all later seconds.
 */
@OwnedBy("TimerVerticle")
final class MasterProgress {
  private MasterTimers last;
  private OptionalLong endBeforeLast = OptionalLong.empty();
  private OptionalLong fromPhy = OptionalLong.empty();

  /**
   * What is known of a master.
   *
   * @param readTimeMs everything due before it was delivered
   * @param fromPhy nothing that is due then or later was delivered in front of this log position; empty when none is known yet
   * @param doneBeforePhy what was delivered before is told lies in front of this log position
   */
  record Known(long readTimeMs, OptionalLong fromPhy, long doneBeforePhy) {}

  Known heard(MasterTimers now) {
    boolean sameMaster = last != null && now.readTimeMs() >= last.readTimeMs();
    if (!sameMaster) {
      fromPhy = OptionalLong.empty();
    } else if (now.readTimeMs() > last.readTimeMs()) {
      fromPhy = endBeforeLast;
    }
    endBeforeLast = sameMaster ? OptionalLong.of(last.phyOffset()) : OptionalLong.empty();
    last = now;
    return new Known(now.readTimeMs(), fromPhy, now.phyOffset());
  }
}
