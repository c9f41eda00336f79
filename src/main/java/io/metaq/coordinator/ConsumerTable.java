package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.Clock;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The consumer groups that have connected members. One without is not here; its settings stay in {@link GroupTable}. */
@OwnedBy("GroupCoordinatorVerticle")
final class ConsumerTable {
  private static final Logger log = LoggerFactory.getLogger(ConsumerTable.class);

  private static final long CONFLICT_WARNING_MS = 60_000;

  private final Clock clock;
  private final Map<String, ConsumerGroup> groups = new HashMap<>();
  private final Map<ClientConnection, Set<String>> groupsOf = new HashMap<>();
  private final Map<String, RepeatedWarning> conflicts = new HashMap<>();

  ConsumerTable(Clock clock) {
    this.clock = clock;
  }

  /**
   * Takes in what a client says about one of its groups.
   *
   * @return whether the client should send its full subscriptions: it left them out, and what is known is not what it means
   */
  boolean heartbeat(Heartbeat beat, Heartbeat.Consumer consumer, long nowMs, GroupChanges changes) {
    ClientConnection connection = new ClientConnection(beat.loop(), beat.connectionId());
    ConsumerGroup group = groups.computeIfAbsent(consumer.group(), name -> new ConsumerGroup());
    ConsumerGroup.Change change = group.heartbeat(beat, consumer, nowMs);
    groupsOf.computeIfAbsent(connection, key -> new HashSet<>()).add(consumer.group());
    if (change.membership()) {
      changes.membership(consumer.group());
    } else if (change.visible()) {
      changes.visible(consumer.group());
    }
    if (change.visible() && !beat.withoutSubscriptions()) {
      warnOfConflict(consumer.group(), group, connection, beat);
    }
    return !group.knows(connection, beat.fingerprint());
  }

  /** Ends one membership. */
  void remove(ClientConnection connection, String group, GroupChanges changes) {
    Set<String> memberships = groupsOf.get(connection);
    if (memberships != null && memberships.remove(group)) {
      leave(connection, group, changes);
      if (memberships.isEmpty()) {
        groupsOf.remove(connection);
      }
    }
  }

  /** Ends all memberships of a connection. */
  void closed(ClientConnection connection, GroupChanges changes) {
    Set<String> memberships = groupsOf.remove(connection);
    if (memberships != null) {
      memberships.forEach(group -> leave(connection, group, changes));
    }
  }

  /** Ends memberships without a heartbeat since {@code oldestMs}. */
  void expire(long oldestMs, GroupChanges changes) {
    for (String group : List.copyOf(groups.keySet())) {
      for (ClientConnection connection : groups.get(group).silentSince(oldestMs)) {
        remove(connection, group, changes);
        changes.silent(connection);
      }
    }
  }

  /** The group as the loops see it, with members or without. */
  GroupSnapshot snapshot(GroupConfig config) {
    ConsumerGroup group = groups.get(config.name());
    return group == null ? new GroupSnapshot(config, false, false, Map.of(), List.of()) : group.snapshot(config);
  }

  /**
   * The members of a group for people, empty when it has none.
   *
   * @param offsetMs wall clock minus monotonic clock
   */
  Optional<GroupMembers> describe(String group, long offsetMs) {
    return Optional.ofNullable(groups.get(group)).map(members -> members.describe(offsetMs));
  }

  /** The connections to tell of a change in membership: none when the group broadcasts, because nothing is shared out there. */
  Collection<ClientConnection> connectionsToNotify(String group) {
    ConsumerGroup members = groups.get(group);
    return members == null || members.broadcasting() ? List.of() : List.copyOf(members.connections());
  }

  private void leave(ClientConnection connection, String name, GroupChanges changes) {
    ConsumerGroup group = groups.get(name);
    group.remove(connection);
    if (group.isEmpty()) {
      groups.remove(name);
      conflicts.remove(name);
    }
    changes.membership(name);
  }

  private void warnOfConflict(String name, ConsumerGroup group, ClientConnection connection, Heartbeat beat) {
    Optional<String> other = group.disagreeing(connection);
    if (other.isEmpty()) {
      return;
    }
    RepeatedWarning warning = conflicts.computeIfAbsent(name, key -> new RepeatedWarning(clock, CONFLICT_WARNING_MS));
    if (warning.due()) {
      log.error("members of a consumer group subscribe to different things; each heartbeat changes what the whole group gets, and"
          + " messages are passed over: give the group's members the same subscriptions"
          + " group={} clientId={} remote={} otherClientId={} suppressed={}",
          name, beat.clientId(), beat.remote(), other.get(), warning.takeSuppressed());
    }
  }
}
