package io.metaq.coordinator.api;

import io.metaq.model.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the members of a group want when they do not all want the same; see docs/adr for what is done about it.
 *
 * @param holdsProgress whether a queue's progress stays in front of what its reader passes over and another side wants
 * @param sides members that want the same are one side; none when all agree
 */
public record GroupConflict(boolean holdsProgress, List<Side> sides) {
  /** All members agree. */
  public static final GroupConflict NONE = new GroupConflict(false, List.of());

  public GroupConflict {
    sides = List.copyOf(sides);
  }

  /**
   * Members that want the same.
   *
   * @param shares whether they share the queues out; members that broadcast read each queue themselves
   * @param subscriptions by topic
   * @param connectionIds of its members, empty when all of them left a short while ago
   */
  public record Side(boolean shares, Map<String, Subscription> subscriptions, Set<Long> connectionIds) {
    public Side {
      subscriptions = Map.copyOf(subscriptions);
      connectionIds = Set.copyOf(connectionIds);
    }
  }
}
