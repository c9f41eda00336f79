package io.metaq.broker;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.vertx.core.Context;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Pulls of readers far behind that wait until it is their turn, in the order in which it comes. They wait unread: nothing of the log
 * is held by them, and what has changed meanwhile is seen when they are read.
 *
 * <p>Bound: one entry for each pull a client has outstanding; entries of a closed connection go with it.
 */
@OwnedBy("its event loop")
final class WaitingTurns {
  private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Context context;
  private final Clock clock;
  private final Consumer<Turn> come;
  private final PriorityQueue<Turn> turns = new PriorityQueue<>(Comparator.comparingLong(Turn::atNs));
  /** Turns are compared by what lies between them and this, as the clock may go beyond its largest number. */
  private final long originNs;
  private boolean armed;

  /** @param come takes those whose turn it is */
  WaitingTurns(Context context, Clock clock, Consumer<Turn> come) {
    this.context = context;
    this.clock = clock;
    this.come = come;
    this.originNs = clock.nanos();
  }

  /**
   * A pull that waits.
   *
   * @param mayHold whether it may be parked when there is nothing for it after all
   * @param atNs when its turn comes, from {@link #originNs} on
   */
  record Turn(Pull pull, boolean mayHold, long atNs) {}

  int count() {
    return turns.size();
  }

  void await(Pull pull, boolean mayHold, long waitNs) {
    turns.add(new Turn(pull, mayHold, clock.nanos() - originNs + waitNs));
    arm();
  }

  /** Forgets what a closed connection waits for. */
  void gone(Connection connection) {
    turns.removeIf(turn -> turn.pull().connection() == connection);
  }

  /** Takes all of them out, whether it is their turn or not. */
  List<Pull> drain() {
    List<Pull> all = new ArrayList<>(turns.size());
    turns.forEach(turn -> all.add(turn.pull()));
    turns.clear();
    return all;
  }

  private void arm() {
    if (armed || turns.isEmpty()) {
      return;
    }
    armed = true;
    long waitNs = turns.peek().atNs() - (clock.nanos() - originNs);
    context.owner().setTimer(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs + MS_NS / 2)), tick -> {
      armed = false;
      callThoseDue();
      arm();
    });
  }

  private void callThoseDue() {
    long nowNs = clock.nanos() - originNs + MS_NS / 2;
    while (!turns.isEmpty() && turns.peek().atNs() <= nowNs) {
      come.accept(turns.poll());
    }
  }
}
