package io.metaq.broker;

import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the progress of queues in front of messages that their readers passed over and others of their group want, so that whoever
 * reads the queue next finds them. Readers' pulls and commits come over one connection, so each loop does this for its own readers.
 *
 * <p>A hold ends with its reader, with a pull from there on, and when the members of the group agree again.
 *
 * <p>Bound: queues that the readers of this loop have.
 */
@OwnedBy("its event loop")
final class HeldProgress {
  private static final Logger log = LoggerFactory.getLogger(HeldProgress.class);

  private final Map<Long, Map<Place, Long>> byConnection = new HashMap<>();

  private record Place(String group, String topic, int queueId) {}

  /** The reader begins to read here: what it passed over from here on, it is given once more. */
  void readFrom(Connection reader, String group, String topic, int queueId, long queueOffset) {
    Map<Place, Long> held = byConnection.get(reader.id());
    if (held != null) {
      held.computeIfPresent(new Place(group, topic, queueId), (place, at) -> queueOffset <= at ? null : at);
    }
  }

  /** The reader passed over a message that others want. */
  void passedOver(Connection reader, String group, String topic, int queueId, long queueOffset) {
    Long before = byConnection
        .computeIfAbsent(reader.id(), id -> new HashMap<>())
        .putIfAbsent(new Place(group, topic, queueId), queueOffset);
    if (before == null) {
      log.warn("the progress of a queue is held, its reader does not want a message that another member of the group does"
          + " group={} topic={} queueId={} queueOffset={} remote={}", group, topic, queueId, queueOffset, reader.remote());
    }
  }

  /** What may be stored of a commit. */
  long cap(Connection reader, String group, String topic, int queueId, long queueOffset) {
    if (byConnection.isEmpty()) {
      return queueOffset;
    }
    Long held = byConnection.getOrDefault(reader.id(), Map.of()).get(new Place(group, topic, queueId));
    return held == null ? queueOffset : Math.min(held, queueOffset);
  }

  void gone(Connection reader) {
    byConnection.remove(reader.id());
  }

  /** Lets go what is held for groups whose members agree now, or have left. */
  void apply(GroupsDelta delta) {
    if (!byConnection.isEmpty()) {
      delta.changed().stream().filter(group -> !group.conflict().holdsProgress()).forEach(this::letGo);
    }
  }

  private void letGo(GroupSnapshot group) {
    String name = group.config().name();
    for (Map<Place, Long> held : byConnection.values()) {
      held.entrySet().removeIf(entry -> {
        Place place = entry.getKey();
        boolean ends = place.group.equals(name);
        if (ends && group.online()) {
          log.warn("the progress of a queue is not held any more, all members want the same now; what they want and was passed over is"
              + " read again after a reset to this offset group={} topic={} queueId={} queueOffset={}",
              name, place.topic, place.queueId, entry.getValue());
        }
        return ends;
      });
    }
    byConnection.values().removeIf(Map::isEmpty);
  }
}
