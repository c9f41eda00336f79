package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.metaq.net.RemotingServerOptions;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * Pulls of readers far behind that wait until their connection may go on, those of one connection one after the other. They wait
 * unread: nothing of the log is held by them, and what has changed meanwhile is seen when they are read.
 *
 * <p>Bound: one entry for each pull a client has outstanding; entries of a closed connection go with it.
 */
@OwnedBy("its event loop")
final class WaitingTurns {
  /** So many of a connection at once: they are read by a worker, and charged when they come back. */
  private static final int AT_ONCE = 4;
  private static final long MS_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Context context;
  private final ToLongFunction<Connection> unpaidNs;
  private final Consumer<Turn> come;
  private final Map<Connection, ArrayDeque<Turn>> byConnection = new HashMap<>();
  private final Map<Connection, Integer> underWay = new HashMap<>();

  /**
   * @param unpaidNs for how long a connection still has to wait
   * @param come takes those whose turn it is, and says that they have {@link #begun}; must not throw
   */
  WaitingTurns(Context context, ToLongFunction<Connection> unpaidNs, Consumer<Turn> come) {
    this.context = context;
    this.unpaidNs = unpaidNs;
    this.come = come;
  }

  /**
   * A pull that waits.
   *
   * @param mayHold whether it may be parked when there is nothing for it after all
   */
  record Turn(Pull pull, boolean mayHold) {}

  /** Whether a pull of the connection need not wait. */
  boolean mayGo(Connection connection) {
    return !byConnection.containsKey(connection) && mayGoOn(connection);
  }

  /** A worker begins to read for the connection; {@link #ended} follows. */
  void begun(Connection connection) {
    underWay.merge(connection, 1, Integer::sum);
  }

  void ended(Connection connection) {
    underWay.computeIfPresent(connection, (same, reads) -> reads > 1 ? reads - 1 : null);
  }

  void await(Turn turn) {
    Connection connection = turn.pull().connection();
    ArrayDeque<Turn> turns = byConnection.get(connection);
    if (turns == null) {
      turns = new ArrayDeque<>();
      byConnection.put(connection, turns);
      callLater(connection, turns);
    }
    turns.add(turn);
  }

  int count() {
    return byConnection.values().stream().mapToInt(ArrayDeque::size).sum();
  }

  /** Forgets what a closed connection waits for. */
  void gone(Connection connection) {
    byConnection.remove(connection);
    underWay.remove(connection);
  }

  /** Takes out and hands over the pulls that are meant. */
  void drain(Predicate<Pull> meant, Consumer<Pull> drained) {
    List<Pull> taken = new ArrayList<>();
    byConnection.values().forEach(turns -> turns.removeIf(turn -> meant.test(turn.pull()) && taken.add(turn.pull())));
    taken.forEach(drained);
  }

  private void callLater(Connection connection, ArrayDeque<Turn> turns) {
    long waitMs = TimeUnit.NANOSECONDS.toMillis(unpaidNs.applyAsLong(connection) + MS_NS / 2);
    context.owner().setTimer(Math.max(1, waitMs), due -> call(connection, turns));
  }

  private void call(Connection connection, ArrayDeque<Turn> turns) {
    while (isStillThere(connection, turns) && !turns.isEmpty() && mayGoOn(connection)) {
      come.accept(turns.poll());
    }
    if (!isStillThere(connection, turns)) {
      return;
    }
    if (turns.isEmpty()) {
      byConnection.remove(connection);
    } else {
      callLater(connection, turns);
    }
  }

  private boolean isStillThere(Connection connection, ArrayDeque<Turn> turns) {
    return byConnection.get(connection) == turns;
  }

  private boolean mayGoOn(Connection connection) {
    // Timers know no less than a millisecond.
    return unpaidNs.applyAsLong(connection) < MS_NS / 2 && underWay.getOrDefault(connection, 0) < AT_ONCE
        && connection.unsentBytes() <= RemotingServerOptions.UNSENT_LIMIT_BYTES;
  }
}
