package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * One who watches a path. It gets what is new, one sight at a time: while one is on its way those after it are passed over, but for the
 * newest.
 */
@OwnedBy("BridgeVerticle")
final class Watch {
  /** Alarms are early or late by a little, and a look that is due in a moment is due. */
  private static final long EARLY_NS = 50_000_000;
  private static final long MS_NS = 1_000_000;

  private final WatchedPath path;
  private final long everyMs;
  private final Function<Sight, Future<Void>> outlet;
  private final Clock clock;
  private Sight told;
  private long dueNs;
  private boolean begun;
  private boolean writing;
  /** Whether something new came while the sight before it was on its way. */
  private boolean missed;
  private boolean ended;

  Watch(WatchedPath path, long everyMs, Function<Sight, Future<Void>> outlet, Clock clock) {
    this.path = path;
    this.everyMs = everyMs;
    this.outlet = outlet;
    this.clock = clock;
    this.dueNs = clock.nanos();
  }

  long everyMs() {
    return everyMs;
  }

  void start() {
    begun = true;
    path.begin(this);
  }

  void end() {
    ended = true;
    path.leave(this);
  }

  void offerWhenDue() {
    if (clock.nanos() - dueNs + EARLY_NS >= 0) {
      offer();
    }
  }

  /** Tells what was seen last, if that is new here. */
  void offer() {
    if (!begun || ended) {
      return;
    }
    dueNs = clock.nanos() + everyMs * MS_NS;
    if (path.newest() == told) {
      return;
    }
    missed = writing;
    if (!writing) {
      told = path.newest();
      writing = true;
      outlet.apply(told).onComplete(done -> written(done.succeeded()));
    }
  }

  private void written(boolean taken) {
    writing = false;
    // A connection that failed ends by itself.
    if (missed && taken) {
      missed = false;
      offer();
    }
  }
}
