package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.AtomicLongArray;

/** The sums of one name at the {@link Beats}. Before the first sample they were 0. */
@OwnedBy("the sampler; read by everyone")
final class History {
  private final AtomicLongArray sums = new AtomicLongArray(Beats.SLOTS * Tally.LANES);

  /** Owner: keeps the sums of a beat. */
  void keep(long beat, long[] tally) {
    for (Beats.Window window : Beats.Window.values()) {
      if (window.sampledAt(beat)) {
        int at = window.slot(beat) * Tally.LANES;
        for (int lane = 0; lane < Tally.LANES; lane++) {
          sums.set(at + lane, tally[lane]);
        }
      }
    }
  }

  long at(int slot, int lane) {
    return sums.get(slot * Tally.LANES + lane);
  }
}
