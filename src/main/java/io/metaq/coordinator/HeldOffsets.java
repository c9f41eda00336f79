package io.metaq.coordinator;

import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Queues in which the progress of a group may not get beyond a message that was passed over, whoever commits and over whichever
 * connection: a reader that connects anew, or meets a new process of the broker, goes on from its own memory. Kept in the file of
 * the progress, so that both are always of one moment.
 *
 * <p>Bound: queues of groups whose members want different things; the loops end what is held for others.
 */
@OwnedBy("OffsetCoordinatorVerticle")
final class HeldOffsets {
  private final Map<Place, Long> offsets = new HashMap<>();

  private record Place(String group, String topic, int queueId) {}

  /** What came of a hold. */
  enum Added {
    /** Nothing was held there before. */
    FIRST,
    /** It lies in front of the one before. */
    EARLIER,
    /** One that lies in front of it, or just there, goes on. */
    KNOWN
  }

  /** Those of an earlier process. */
  HeldOffsets(Map<String, Map<String, Map<Integer, Long>>> stored) {
    stored.forEach((group, topics) -> topics.forEach((topic, queues) -> queues.forEach((queueId, queueOffset) ->
        offsets.put(new Place(group, topic, queueId), queueOffset))));
  }

  /** By group, topic and queue id: a copy, sorted. */
  Map<String, Map<String, Map<Integer, Long>>> byGroup() {
    Map<String, Map<String, Map<Integer, Long>>> sorted = new TreeMap<>();
    offsets.forEach((place, queueOffset) -> sorted.computeIfAbsent(place.group, group -> new TreeMap<>())
        .computeIfAbsent(place.topic, topic -> new TreeMap<>()).put(place.queueId, queueOffset));
    return sorted;
  }

  /** All of them, with no reader. */
  List<ProgressHeld> all() {
    List<ProgressHeld> all = new ArrayList<>();
    offsets.forEach((place, queueOffset) ->
        all.add(new ProgressHeld(place.group, place.topic, place.queueId, queueOffset, ProgressHeld.NO_LOOP, "")));
    return all;
  }

  Added add(ProgressHeld held) {
    Place place = new Place(held.group(), held.topic(), held.queueId());
    Long before = offsets.get(place);
    if (before != null && before <= held.queueOffset()) {
      return Added.KNOWN;
    }
    offsets.put(place, held.queueOffset());
    return before == null ? Added.FIRST : Added.EARLIER;
  }

  /** Ends one; false when there is none, or one elsewhere by now. */
  boolean end(HoldEnded ended) {
    return offsets.remove(new Place(ended.group(), ended.topic(), ended.queueId()), ended.queueOffset());
  }

  /** What may be stored of commits. */
  OffsetCommits capped(OffsetCommits commits) {
    if (offsets.isEmpty()) {
      return commits;
    }
    OffsetCommits capped = new OffsetCommits();
    for (int i = 0; i < commits.count(); i++) {
      Place place = new Place(commits.group(i), commits.topic(i), commits.queueId(i));
      capped.add(place.group, place.topic, place.queueId, Math.min(commits.queueOffset(i), offsets.getOrDefault(place, Long.MAX_VALUE)));
    }
    return capped;
  }

  /** Somebody decided where the group goes on. */
  void moved(OffsetReset reset) {
    reset.offsets().keySet().forEach(queueId -> offsets.remove(new Place(reset.group(), reset.topic(), queueId)));
  }

  /** Ends all of a group, and names them. */
  List<HoldEnded> forgetGroup(String group) {
    return forget(place -> place.group.equals(group));
  }

  /** Ends all in a topic, and names them. */
  List<HoldEnded> forgetTopic(String topic) {
    return forget(place -> place.topic.equals(topic));
  }

  private List<HoldEnded> forget(Predicate<Place> which) {
    List<HoldEnded> forgotten = new ArrayList<>();
    offsets.forEach((place, offset) -> {
      if (which.test(place)) {
        forgotten.add(new HoldEnded(place.group, place.topic, place.queueId, offset, false));
      }
    });
    forgotten.forEach(this::end);
    return forgotten;
  }
}
