package io.metaq.coordinator;

import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of groups whose members want different things: once when it begins or what they want changes, not with each heartbeat; and
 * when they agree again.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class ConflictLog {
  private static final Logger log = LoggerFactory.getLogger(ConflictLog.class);

  private static final int MAX_REFUSED = 100;

  private final ConflictRule rule;
  /** By group. */
  private final Map<String, Set<Wish>> told = new HashMap<>();
  private final Map<String, Set<Wish>> refused = new HashMap<>();

  ConflictLog(ConflictRule rule) {
    this.rule = rule;
  }

  /** A group that nobody is in any more: what comes of it later is news again. */
  void forget(String group) {
    told.remove(group);
    refused.remove(group);
  }

  /** The group's sides as they are now; one or none is agreement. */
  void tell(String group, List<ConsumerGroup.Side> sides) {
    if (sides.size() < 2) {
      if (told.remove(group) != null && !sides.isEmpty()) {
        log.info("the members of a consumer group agree again group={} want={}", group, sides.get(0).wish());
      }
      return;
    }
    Set<Wish> wishes = sides.stream().map(ConsumerGroup.Side::wish).collect(Collectors.toSet());
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

  /** A client was not taken in; told once for what it wants, of {@value #MAX_REFUSED} such wishes of a group. */
  void tellRefused(String group, Heartbeat beat, Wish wish, ConsumerGroup.Side other) {
    Set<Wish> known = refused.computeIfAbsent(group, name -> new HashSet<>());
    if (known.size() < MAX_REFUSED && known.add(wish)) {
      log.warn("a client is not taken into a consumer group, because it wants something else than its members"
          + " group={} clientId={} remote={} wants={} otherClientId={} otherRemote={} otherWants={} otherMembers={}",
          group, beat.clientId(), beat.remote(), wish, other.clientId(), other.remote(), other.wish(), other.members());
    }
  }
}
