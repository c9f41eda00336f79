package io.metaq.broker;

import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.HoldEnded;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.ProgressHeld;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One loop's copy of where the progress of groups is held in front of messages that a reader passed over and others of its group
 * want, so that whoever reads the queue next finds them; nearly always empty. OffsetCoordinatorVerticle has the word about what is
 * stored.
 *
 * <p>A hold ends with a pull from there on, whose reader meets what was passed over; with a move of the group; and when the members
 * of the group agree again.
 */
@OwnedBy("its event loop")
final class HeldProgress {
  private final int loop;
  private final LoopGroups groups;
  private final OffsetSink offsets;
  private final Map<Place, Long> held = new HashMap<>();

  HeldProgress(int loop, LoopGroups groups, OffsetSink offsets) {
    this.loop = loop;
    this.groups = groups;
    this.offsets = offsets;
  }

  private record Place(String group, String topic, int queueId) {}

  /** A reader begins to read here: what was passed over from here on, it is given once more. */
  void readFrom(String group, String topic, int queueId, long queueOffset) {
    if (held.isEmpty()) {
      return;
    }
    Place place = new Place(group, topic, queueId);
    Long at = held.get(place);
    if (at != null && queueOffset <= at) {
      held.remove(place);
      end(place, at, false);
    }
  }

  /**
   * A reader passes over a message that others want. Told each time: the copy may have what has ended meanwhile.
   *
   * @return completes when the reader may go on: a process that is killed now has it when it starts again
   */
  Future<Void> passedOver(Connection reader, String group, String topic, int queueId, long queueOffset) {
    held.merge(new Place(group, topic, queueId), queueOffset, Math::min);
    return offsets.hold(new ProgressHeld(group, topic, queueId, queueOffset, loop, reader.remote()));
  }

  /** Where progress is held, empty when it is not. */
  Optional<Long> at(String group, String topic, int queueId) {
    return held.isEmpty() ? Optional.empty() : Optional.ofNullable(held.get(new Place(group, topic, queueId)));
  }

  /** What is held at the start, from an earlier process; groups are known by now. */
  void apply(List<ProgressHeld> stored) {
    stored.forEach(this::apply);
    groupsChanged();
  }

  /** A reader of this loop that passed over under a contradiction which has ended since holds nothing. */
  void apply(ProgressHeld told) {
    Place place = new Place(told.group(), told.topic(), told.queueId());
    if (told.loop() == loop && !contradicts(told.group())) {
      held.remove(place);
      end(place, told.queueOffset(), agrees(told.group()));
    } else {
      held.merge(place, told.queueOffset(), Math::min);
    }
  }

  void apply(HoldEnded ended) {
    held.remove(new Place(ended.group(), ended.topic(), ended.queueId()), ended.queueOffset());
  }

  void apply(OffsetReset reset) {
    reset.offsets().keySet().forEach(queueId -> held.remove(new Place(reset.group(), reset.topic(), queueId)));
  }

  /** Groups changed: ends what is held for those whose members agree now. */
  void groupsChanged() {
    held.entrySet().removeIf(entry -> {
      boolean ends = !contradicts(entry.getKey().group);
      if (ends) {
        end(entry.getKey(), entry.getValue(), agrees(entry.getKey().group));
      }
      return ends;
    });
  }

  private boolean contradicts(String group) {
    return groups.find(group).filter(found -> found.conflict().holdsProgress()).isPresent();
  }

  private boolean agrees(String group) {
    return groups.find(group).filter(GroupSnapshot::online).isPresent();
  }

  private void end(Place place, long queueOffset, boolean agreement) {
    offsets.holdEnded(new HoldEnded(place.group, place.topic, place.queueId, queueOffset, agreement));
  }
}
