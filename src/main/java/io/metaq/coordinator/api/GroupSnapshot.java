package io.metaq.coordinator.api;

import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A consumer group at one moment.
 *
 * @param online whether any member is connected
 * @param broadcasting whether its members said BROADCASTING
 * @param subscriptions of all members by topic, the newest of each; empty when nobody is online
 * @param memberIds client ids, sorted
 * @param forbiddenTopics what the group may not read
 * @param conflict what its members want when they want different things
 */
public record GroupSnapshot(
    GroupConfig config,
    boolean online,
    boolean broadcasting,
    Map<String, Subscription> subscriptions,
    List<String> memberIds,
    Set<String> forbiddenTopics,
    GroupConflict conflict) {
  public GroupSnapshot {
    subscriptions = Map.copyOf(subscriptions);
    memberIds = List.copyOf(memberIds);
    forbiddenTopics = Set.copyOf(forbiddenTopics);
  }

  /** A group whose members agree, and that may read everything. */
  public GroupSnapshot(
      GroupConfig config, boolean online, boolean broadcasting, Map<String, Subscription> subscriptions, List<String> memberIds) {
    this(config, online, broadcasting, subscriptions, memberIds, Set.of(), GroupConflict.NONE);
  }

  /** Whether it is known what the member on this connection wants; only asked where members want different things. */
  public boolean knows(long connectionId) {
    return conflict.sides().stream().anyMatch(side -> side.connectionIds().contains(connectionId));
  }

  /** By topic, what the member on this connection subscribes to; for one that is not known, what the group does. */
  public Map<String, Subscription> subscriptionsOf(long connectionId) {
    for (GroupConflict.Side side : conflict.sides()) {
      if (side.connectionIds().contains(connectionId)) {
        return side.subscriptions();
      }
    }
    return subscriptions;
  }

  /** What those that share queues with a reader of this subscription want of its topic besides; none when all agree. */
  public List<Subscription> othersThan(Subscription own) {
    return conflict.sides().stream()
        .filter(GroupConflict.Side::shares)
        .map(side -> side.subscriptions().get(own.topic()))
        .filter(other -> other != null && !other.selectsAs(own))
        .toList();
  }
}
