package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.AtomicLongArray;

/** What one loop has counted under one name since its start: one writer, any readers, no fence of its own. */
@OwnedBy("its event loop; read by everyone")
final class Tally {
  static final int MESSAGES = 0;
  static final int BYTES = 1;
  static final int CALLS = 2;
  /** How many numbers it has. */
  static final int LANES = 3;

  private final AtomicLongArray sums = new AtomicLongArray(LANES);

  /** Owner: one call moved so many messages. */
  void add(long messages, long bytes) {
    sums.lazySet(MESSAGES, sums.getPlain(MESSAGES) + messages);
    sums.lazySet(BYTES, sums.getPlain(BYTES) + bytes);
    sums.lazySet(CALLS, sums.getPlain(CALLS) + 1);
  }

  void addTo(long[] total) {
    for (int lane = 0; lane < LANES; lane++) {
      total[lane] += sums.get(lane);
    }
  }
}
