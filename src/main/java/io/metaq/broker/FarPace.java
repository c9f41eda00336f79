package io.metaq.broker;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Holds back who reads far behind the end of the log while others add to it: such a reader takes as much of the processor as there is, and
 * sends wait for what is left. An answer to it is followed by a rest of this loop, some times as long as the answer costs, in which no far
 * read begins. While nothing comes in there is none.
 *
 * <p>The cost is counted in bytes, for what an answer takes is known only when the socket has had it. Bound: one entry for each pull that a client
 * has outstanding; entries of a closed connection go with it.
 */
@OwnedBy("its event loop")
final class FarPace {
  /** Whoever is further behind is far. */
  static final long FAR_BYTES = 256L << 20;
  /** Rests shorter than this, the step of a timer, add up until they are as long. */
  static final long STEP_NS = 1_000_000;

  private static final long REST_NS = Long.getLong("metaq.rest", 3) * 20_000;
  private static final long REST_NS_PER_KB = Long.getLong("metaq.rest", 3) * 500;

  private final LongSupplier logEnd;
  private final Clock clock;
  private final Timer timer;
  private final Consumer<Held> read;
  private final Queue<Held> waiting = new ArrayDeque<>();
  private boolean armed;
  private long seenEnd;
  private long restUntilNs;

  /** A pull that waits for the rest to end, and whether it may be parked when it finds nothing. */
  record Held(Pull pull, boolean mayHold) {}

  /** Runs something on this loop in so many ms. */
  interface Timer {
    void after(long ms, Runnable task);
  }

  /** @param read has what was held read now */
  FarPace(LongSupplier logEnd, Clock clock, Timer timer, Consumer<Held> read) {
    this.logEnd = logEnd;
    this.clock = clock;
    this.timer = timer;
    this.read = read;
    this.restUntilNs = clock.nanos();
  }

  /** Whether a far read that comes now has to wait. */
  boolean resting() {
    return !waiting.isEmpty() || restNs() >= STEP_NS;
  }

  void hold(Pull pull, boolean mayHold) {
    waiting.add(new Held(pull, mayHold));
    arm();
  }

  /** A reader got bytes from {@code phyOffset} on. */
  void answered(long phyOffset, int bytes) {
    long end = logEnd.getAsLong();
    if (end - phyOffset <= FAR_BYTES) {
      return;
    }
    if (end != seenEnd) {
      restUntilNs += Math.max(0, -restNs()) + REST_NS + bytes / 1024 * REST_NS_PER_KB;
    }
    seenEnd = end;
  }

  boolean idle() {
    return waiting.isEmpty();
  }

  /** Forgets the pulls of a connection that ended. */
  void gone(Connection connection) {
    waiting.removeIf(held -> held.pull().connection() == connection);
  }

  /** Takes out and hands over every pull that waits. */
  void drain(Consumer<Pull> drained) {
    List<Held> all = new ArrayList<>(waiting);
    waiting.clear();
    all.forEach(held -> drained.accept(held.pull()));
  }

  /** Below 0 where the last rest is over. */
  private long restNs() {
    return restUntilNs - clock.nanos();
  }

  private void arm() {
    if (!armed) {
      armed = true;
      timer.after(Math.max(1, restNs() / STEP_NS), this::resume);
    }
  }

  private void resume() {
    armed = false;
    while (!waiting.isEmpty() && restNs() < STEP_NS) {
      read.accept(waiting.remove());
    }
    if (!waiting.isEmpty()) {
      arm();
    }
  }
}
