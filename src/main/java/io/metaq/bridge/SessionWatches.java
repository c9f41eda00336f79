package io.metaq.bridge;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.json.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What one connection watches, by the {@code ref} it asked with. */
@OwnedBy("BridgeVerticle")
final class SessionWatches {
  private static final int SHORTEST_MS = 500;
  private static final int LONGEST_MS = 60_000;
  private static final int USUAL_MS = 1_000;
  private static final int LONGEST_PATH = 2_048;

  private final Watches all;
  private final Outbox outbox;
  private final Map<String, Watch> byRef = new HashMap<>();

  SessionWatches(Watches all, Outbox outbox) {
    this.all = all;
    this.outbox = outbox;
  }

  int count() {
    return byRef.size();
  }

  /** Answers, and then tells what there is and what changes. */
  void watch(JsonReader json, Optional<String> asked) {
    json.allow(Set.of("op", "ref", "path", "everyMs"));
    String ref = required(asked);
    String path = json.requiredText("path");
    int everyMs = json.integer("everyMs", SHORTEST_MS, LONGEST_MS).orElse(USUAL_MS);
    if (path.length() > LONGEST_PATH) {
      throw Fault.INVALID.because("'path' has more than " + LONGEST_PATH + " characters");
    }
    if (byRef.containsKey(ref)) {
      throw Fault.CONFLICT.because("this connection has a watch '" + Text.printable(ref) + "' already");
    }
    Watch watch = all.on(path, everyMs, sight -> tell(ref, path, sight));
    byRef.put(ref, watch);
    outbox.send(Frames.answer("watching", asked).put("path", path));
    watch.start();
  }

  void unwatch(JsonReader json, Optional<String> asked) {
    json.allow(Set.of("op", "ref"));
    String ref = required(asked);
    Watch watch = byRef.remove(ref);
    if (watch == null) {
      throw Fault.UNKNOWN_SUBSCRIPTION.because("this connection has no watch '" + Text.printable(ref) + "'");
    }
    watch.end();
    outbox.send(Frames.answer("unwatched", asked));
  }

  /** The value is JSON text already, and the same for all who watch. */
  private Future<Void> tell(String ref, String path, Sight sight) {
    return outbox.send("{\"op\":\"view\",\"ref\":" + Json.encode(ref) + ",\"path\":" + Json.encode(path) + ",\"status\":"
        + sight.answer().status() + ",\"at\":\"" + JsonValues.time(sight.atMs()) + "\",\"value\":" + sight.answer().body() + '}');
  }

  private static String required(Optional<String> ref) {
    return ref.orElseThrow(() -> Fault.INVALID.because("'ref' is missing: a name of your own for the watch"));
  }

  void close() {
    List.copyOf(byRef.values()).forEach(Watch::end);
    byRef.clear();
  }
}
