package io.metaq.coordinator;

import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of groups whose members want different things: once when it begins or what they want changes, not with each heartbeat; and
 * when they agree again.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class ConflictLog {
  private static final Logger log = LoggerFactory.getLogger(ConflictLog.class);

  private final ConflictRule rule;
  private final Map<String, List<Wish>> told = new HashMap<>();
  private final Map<String, Wish> refused = new HashMap<>();

  ConflictLog(ConflictRule rule) {
    this.rule = rule;
  }

  /** The group's sides as they are now; one or none is agreement. */
  void tell(String group, List<ConsumerGroup.Side> sides) {
    if (sides.isEmpty()) {
      refused.remove(group);
    }
    if (sides.size() < 2) {
      if (told.remove(group) != null && !sides.isEmpty()) {
        log.info("the members of a consumer group agree again group={} want={}", group, sides.get(0).wish());
      }
      return;
    }
    List<Wish> wishes = sides.stream().map(ConsumerGroup.Side::wish).sorted((a, b) -> a.toString().compareTo(b.toString())).toList();
    if (wishes.equals(told.put(group, wishes))) {
      return;
    }
    ConsumerGroup.Side first = sides.get(0);
    ConsumerGroup.Side other = sides.get(1);
    log.warn("members of a consumer group want different things, although each reads a part of the queues for all: {}; give them the"
        + " same subscriptions, or groups of their own group={} clientId={} remote={} wants={} members={}"
        + " otherClientId={} otherRemote={} otherWants={} otherMembers={} sides={}",
        consequence(), group, first.clientId(), first.remote(), first.wish(), first.members(),
        other.clientId(), other.remote(), other.wish(), other.members(), sides.size());
  }

  private String consequence() {
    return switch (rule) {
      case HOLD -> "the progress of a queue is held in front of what its reader passes over and others want";
      case WARN -> "what the reader of a queue does not want is passed over for the others, too";
      case REFUSE -> "no further one is taken in";
    };
  }

  /** A client was not taken in; told once for what it wants. */
  void tellRefused(String group, Heartbeat beat, Wish wish, ConsumerGroup.Side other) {
    if (!wish.equals(refused.put(group, wish))) {
      log.warn("a client is not taken into a consumer group, because it wants something else than its members"
          + " group={} clientId={} remote={} wants={} otherClientId={} otherRemote={} otherWants={} otherMembers={}",
          group, beat.clientId(), beat.remote(), wish, other.clientId(), other.remote(), other.wish(), other.members());
    }
  }
}
