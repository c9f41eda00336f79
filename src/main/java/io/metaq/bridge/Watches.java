package io.metaq.bridge;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** All paths that are watched over this process: each is looked at once for all who watch it, and not at all when nobody does. */
@OwnedBy("BridgeVerticle")
final class Watches {
  static final int MOST_PATHS = 256;

  private final Views views;
  private final Alarm alarm;
  private final Clock clock;
  private final Map<String, WatchedPath> paths = new HashMap<>();

  Watches(Views views, Alarm alarm, Clock clock) {
    this.views = views;
    this.alarm = alarm;
    this.clock = clock;
  }

  /**
   * A watch that begins with {@link Watch#start}.
   *
   * @param everyMs how often it looks for a change
   * @param outlet takes a sight; completes when it is out, and gets no other before
   * @throws BridgeException {@code NO_SUCH_PATH}, or {@code TOO_MANY} different paths
   */
  Watch on(String path, long everyMs, Function<Sight, Future<Void>> outlet) {
    WatchedPath watched = paths.get(path);
    if (watched == null) {
      if (paths.size() >= MOST_PATHS) {
        throw Fault.TOO_MANY.because("more than " + MOST_PATHS + " different paths are watched here");
      }
      watched = new WatchedPath(views.at(path), alarm, clock, () -> paths.remove(path));
      paths.put(path, watched);
    }
    return watched.join(everyMs, outlet);
  }

  /** Paths that are looked at now. */
  int paths() {
    return paths.size();
  }
}
