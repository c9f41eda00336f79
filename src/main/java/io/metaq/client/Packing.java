package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.Map;

/**
 * Has parcels packed by workers, without changing the order of those with one target: one that needs no packing waits for those
 * before it that do.
 */
@OwnedBy("its client's context")
final class Packing {
  private final Home home;
  private final Map<Lane, Future<Void>> lanes = new HashMap<>();

  private record Lane(String topic, Target target) {}

  Packing(Home home) {
    this.home = home;
  }

  /** Completes when the parcel can go; null when it can go at once, the way without a future for those who send often. */
  Future<Void> ready(Parcel<?> parcel) {
    if (parcel.target().isAny()) {
      return parcel.unpacked() ? packed(parcel) : null;
    }
    Lane lane = new Lane(parcel.topic(), parcel.target());
    Future<Void> before = lanes.get(lane);
    if (before == null && !parcel.unpacked()) {
      return null;
    }
    Future<Void> packed = parcel.unpacked() ? packed(parcel) : Future.succeededFuture();
    Future<Void> ready = before == null ? packed : before.compose(ignored -> packed);
    lanes.put(lane, ready);
    ready.onComplete(done -> lanes.remove(lane, ready));
    return ready;
  }

  private Future<Void> packed(Parcel<?> parcel) {
    return home.blocking(
        () -> {
          parcel.pack();
          return null;
        });
  }
}
