package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One path that is looked at, as often as the most eager of its watchers wants, one look at a time. It keeps what it saw last and nothing
 * older.
 */
@OwnedBy("BridgeVerticle")
final class WatchedPath {
  private static final long NO_ALARM = -1;
  private static final long MS_NS = 1_000_000;

  private final Supplier<Future<Answer>> look;
  private final Alarm alarm;
  private final Clock clock;
  private final Runnable deserted;
  private final Set<Watch> watches = new LinkedHashSet<>();
  private Sight newest;
  private long lookedNs;
  private boolean looking;
  private long next = NO_ALARM;

  /** @param deserted called when the last watcher has left */
  WatchedPath(Supplier<Future<Answer>> look, Alarm alarm, Clock clock, Runnable deserted) {
    this.look = look;
    this.alarm = alarm;
    this.clock = clock;
    this.deserted = deserted;
  }

  Watch join(long everyMs, Function<Sight, Future<Void>> outlet) {
    Watch watch = new Watch(this, everyMs, outlet, clock);
    watches.add(watch);
    return watch;
  }

  void leave(Watch watch) {
    if (watches.remove(watch) && watches.isEmpty()) {
      cancel();
      deserted.run();
    }
  }

  /** What was seen last, null before the first look has ended. */
  Sight newest() {
    return newest;
  }

  /** A watcher begins: what was seen lately is new enough for it, else it is looked at once more. */
  void begin(Watch watch) {
    if (newest != null && clock.nanos() - lookedNs < watch.everyMs() * MS_NS) {
      watch.offer();
      plan();
    } else {
      look();
    }
  }

  private void look() {
    if (looking) {
      return;
    }
    cancel();
    looking = true;
    lookedNs = clock.nanos();
    look.get().onSuccess(this::seen);
  }

  private void seen(Answer answer) {
    looking = false;
    if (newest == null || !newest.answer().equals(answer)) {
      newest = new Sight(answer, clock.millis());
    }
    List.copyOf(watches).forEach(Watch::offerWhenDue);
    plan();
  }

  private void plan() {
    cancel();
    watches.stream().mapToLong(Watch::everyMs).min().ifPresent(everyMs -> {
      if (!looking) {
        next = alarm.set(everyMs - (clock.nanos() - lookedNs) / MS_NS, () -> {
          next = NO_ALARM;
          look();
        });
      }
    });
  }

  private void cancel() {
    if (next != NO_ALARM) {
      alarm.cancel(next);
      next = NO_ALARM;
    }
  }
}
