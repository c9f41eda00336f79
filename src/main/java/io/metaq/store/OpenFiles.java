package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many consume queue files are kept open at a time. A file asks for a place before it keeps its channel; without one it
 * opens for the one read or write only. A sweep closes what was not used lately.
 */
@OwnedBy("nobody: counted atomically; DispatchVerticle sweeps")
final class OpenFiles {
  static final int LIMIT = 512;

  private static final int IDLE_ROUNDS = 30;

  private final AtomicInteger count = new AtomicInteger();
  private final Queue<UnitFile> open = new ConcurrentLinkedQueue<>();
  private volatile int round;

  /** Takes a place; false when all are taken. */
  boolean tryKeep(UnitFile file) {
    if (count.incrementAndGet() > LIMIT) {
      count.decrementAndGet();
      return false;
    }
    open.add(file);
    return true;
  }

  /** Gives the place of a closed channel back. */
  void gone(UnitFile file) {
    open.remove(file);
    count.decrementAndGet();
  }

  /** The current round of sweeping: what a file remembers as its last use. */
  int round() {
    return round;
  }

  /** Once a second: closes what was idle for half a minute, and when places run short all that was idle since the last round. */
  void sweep() {
    int now = round + 1;
    int idle = count.get() > LIMIT * 3 / 4 ? 1 : IDLE_ROUNDS;
    for (UnitFile file : open) {
      if (now - file.lastUsed() > idle) {
        file.close();
      }
    }
    round = now;
  }

  void closeAll() {
    for (UnitFile file : open) {
      file.close();
    }
  }
}
