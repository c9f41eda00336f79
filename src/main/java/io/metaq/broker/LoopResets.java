package io.metaq.broker;

import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.coordinator.api.ResetSettled;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One loop's copy of the moves of groups that their readers do not know of yet; nearly always empty. */
@OwnedBy("its event loop")
final class LoopResets {
  private final OffsetsProxy coordinator;
  private final Map<Place, Target> targets = new HashMap<>();

  LoopResets(OffsetsProxy coordinator) {
    this.coordinator = coordinator;
  }

  private record Place(String group, String topic, int queueId) {}

  /**
   * Where the reader of a queue has to go.
   *
   * @param always also when it comes with this offset
   */
  record Target(long queueOffset, boolean always) {}

  void apply(OffsetReset reset) {
    reset.offsets().forEach((queueId, queueOffset) ->
        targets.put(new Place(reset.group(), reset.topic(), queueId), new Target(queueOffset, reset.online())));
  }

  void apply(ResetSettled settled) {
    Place place = new Place(settled.group(), settled.topic(), settled.queueId());
    targets.computeIfPresent(place, (same, target) -> target.queueOffset == settled.queueOffset() ? null : target);
  }

  /** The move that a queue's reader does not know of, empty when there is none. */
  Optional<Target> find(String group, String topic, int queueId) {
    return targets.isEmpty() ? Optional.empty() : Optional.ofNullable(targets.get(new Place(group, topic, queueId)));
  }

  /** The reader knows, or somebody decided otherwise: commits count again. */
  void settle(String group, String topic, int queueId) {
    Target settled = targets.remove(new Place(group, topic, queueId));
    if (settled != null) {
      coordinator.settled(new ResetSettled(group, topic, queueId, settled.queueOffset));
    }
  }
}
