package io.metaq.coordinator;

import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.ResetSettled;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Queues that groups were moved in while their readers may not know yet: what such a reader commits comes from before and would undo
 * the move. In memory alone; at a start the stored offsets count.
 *
 * <p>Bound: queues times groups that were moved and have not come back.
 */
@OwnedBy("OffsetCoordinatorVerticle")
final class PendingResets {
  private final Map<Place, Long> offsets = new HashMap<>();

  private record Place(String group, String topic, int queueId) {}

  void add(OffsetReset reset) {
    reset.offsets().forEach((queueId, offset) -> offsets.put(new Place(reset.group(), reset.topic(), queueId), offset));
  }

  /** Ends one; false when there is none, or another one by now. */
  boolean settle(ResetSettled settled) {
    return offsets.remove(new Place(settled.group(), settled.topic(), settled.queueId()), settled.queueOffset());
  }

  /** Whether what the group commits to the queue comes from before its move. */
  boolean holds(String group, String topic, int queueId) {
    return !offsets.isEmpty() && offsets.containsKey(new Place(group, topic, queueId));
  }

  /** Ends all of a group, and names them. */
  List<ResetSettled> forgetGroup(String group) {
    return forget(place -> place.group.equals(group));
  }

  /** Ends all in a topic, and names them. */
  List<ResetSettled> forgetTopic(String topic) {
    return forget(place -> place.topic.equals(topic));
  }

  private List<ResetSettled> forget(Predicate<Place> which) {
    List<ResetSettled> forgotten = new ArrayList<>();
    offsets.forEach((place, offset) -> {
      if (which.test(place)) {
        forgotten.add(new ResetSettled(place.group, place.topic, place.queueId, offset));
      }
    });
    forgotten.forEach(this::settle);
    return forgotten;
  }
}
