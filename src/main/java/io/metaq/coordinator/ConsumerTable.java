package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The consumer groups that have connected members, and for a while those that all members left while they wanted different things.
 * The settings of groups are in {@link GroupTable}.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class ConsumerTable {
  private final ConflictRule rule;
  private final ConflictLog conflicts;
  private final Map<String, ConsumerGroup> groups = new HashMap<>();
  private final Map<ClientConnection, Set<String>> groupsOf = new HashMap<>();
  private final Map<String, List<ConflictsFile.Side>> toRemember = new TreeMap<>();
  private boolean rememberedChanged;

  ConsumerTable(ConflictRule rule) {
    this.rule = rule;
    this.conflicts = new ConflictLog(rule);
  }

  /**
   * What came of a client's word about one of its groups.
   *
   * @param subscriptionsWanted whether the client should send its full subscriptions: it left them out, and what is known is
   *     not what it means
   * @param refusal why it is no member of the group, as a sentence; empty when it is one
   */
  record Outcome(boolean subscriptionsWanted, Optional<String> refusal) {}

  /** Takes over what contradicted itself when the process before ended; only where progress is held. */
  void remember(ConflictsFile before, long nowMs) {
    if (rule != ConflictRule.HOLD) {
      return;
    }
    before.sides().forEach((name, sides) -> {
      ConsumerGroup group = new ConsumerGroup(true);
      group.remember(sides, nowMs);
      if (!group.isForgettable()) {
        groups.put(name, group);
        toRemember.put(name, group.toRemember());
      }
    });
  }

  /** What is to be taken over by the next process. */
  ConflictsFile toRemember() {
    return new ConflictsFile(new TreeMap<>(toRemember));
  }

  /** Whether that has changed since this was asked last. */
  boolean takeRememberedChanged() {
    boolean changed = rememberedChanged;
    rememberedChanged = false;
    return changed;
  }

  /** What members want may have changed. Who wants it does not matter. */
  private void note(String name) {
    if (rule != ConflictRule.HOLD) {
      return;
    }
    ConsumerGroup group = groups.get(name);
    List<ConflictsFile.Side> sides = group == null ? List.of() : group.toRemember();
    List<ConflictsFile.Side> before = sides.isEmpty() ? toRemember.remove(name) : toRemember.put(name, sides);
    rememberedChanged |= !wishes(sides).equals(wishes(before == null ? List.of() : before));
  }

  private static Set<Wish> wishes(List<ConflictsFile.Side> sides) {
    return sides.stream().map(ConflictsFile.Side::wish).collect(Collectors.toSet());
  }

  /** Takes in what a client says about one of its groups. */
  Outcome heartbeat(Heartbeat beat, Heartbeat.Consumer consumer, long nowMs, GroupChanges changes) {
    ClientConnection connection = new ClientConnection(beat.loop(), beat.connectionId());
    if (rule == ConflictRule.REFUSE) {
      Optional<Outcome> refused = refuse(beat, consumer, connection, nowMs, changes);
      if (refused.isPresent()) {
        return refused.get();
      }
    }
    ConsumerGroup group = groups.computeIfAbsent(consumer.group(), name -> new ConsumerGroup(rule == ConflictRule.HOLD));
    ConsumerGroup.Change change = group.heartbeat(beat, consumer, nowMs);
    groupsOf.computeIfAbsent(connection, key -> new HashSet<>()).add(consumer.group());
    if (change.membership()) {
      changes.membership(consumer.group());
    } else if (change.visible()) {
      changes.visible(consumer.group());
    }
    if (change.visible()) {
      conflicts.tell(consumer.group(), group.sides());
      note(consumer.group());
    }
    return new Outcome(!group.knows(connection, beat.fingerprint()), Optional.empty());
  }

  /** What is answered to one that is no member, because it contradicts one that is, or has not said yet what it wants. */
  private Optional<Outcome> refuse(
      Heartbeat beat, Heartbeat.Consumer consumer, ClientConnection connection, long nowMs, GroupChanges changes) {
    ConsumerGroup group = groups.get(consumer.group());
    Wish wish = beat.withoutSubscriptions() ? Wish.UNKNOWN : Wish.of(consumer);
    if (group == null || group.wants(connection, wish)) {
      return Optional.empty();
    }
    if (!wish.known()) {
      boolean member = group.connections().contains(connection);
      return member ? Optional.empty() : Optional.of(new Outcome(true, Optional.empty()));
    }
    Optional<ConsumerGroup.Side> other = group.contradicting(connection, wish);
    if (other.isEmpty()) {
      return Optional.empty();
    }
    remove(connection, consumer.group(), nowMs, changes);
    conflicts.tellRefused(consumer.group(), beat, wish, other.get());
    return Optional.of(new Outcome(true, Optional.of("client " + beat.clientId() + " is not taken into group " + consumer.group()
        + ": it wants " + wish + ", but member " + other.get().clientId() + " wants " + other.get().wish()
        + " (subscriptionConflict=refuse)")));
  }

  /** Ends one membership. */
  void remove(ClientConnection connection, String group, long nowMs, GroupChanges changes) {
    Set<String> memberships = groupsOf.get(connection);
    if (memberships != null && memberships.remove(group)) {
      leave(connection, group, nowMs, changes);
      if (memberships.isEmpty()) {
        groupsOf.remove(connection);
      }
    }
  }

  /** Ends all memberships of a connection. */
  void closed(ClientConnection connection, long nowMs, GroupChanges changes) {
    Set<String> memberships = groupsOf.remove(connection);
    if (memberships != null) {
      memberships.forEach(group -> leave(connection, group, nowMs, changes));
    }
  }

  /** Ends memberships without a heartbeat since {@code oldestMs}, and forgets what those wanted that left long ago. */
  void expire(long oldestMs, long nowMs, GroupChanges changes) {
    for (String name : List.copyOf(groups.keySet())) {
      ConsumerGroup group = groups.get(name);
      for (ClientConnection connection : group.silentSince(oldestMs)) {
        remove(connection, name, nowMs, changes);
        changes.silent(connection);
      }
      if (group.forgetGone(nowMs)) {
        changes.visible(name);
        settle(name, group);
      }
    }
  }

  /** The group as the loops see it, with members or without. */
  GroupSnapshot snapshot(GroupConfig config, Set<String> forbiddenTopics) {
    ConsumerGroup group = groups.get(config.name());
    return group == null
        ? new GroupSnapshot(config, false, false, Map.of(), List.of(), forbiddenTopics, GroupConflict.NONE)
        : group.snapshot(config, forbiddenTopics, rule == ConflictRule.HOLD);
  }

  /**
   * The members of a group for people, empty when it has none.
   *
   * @param offsetMs wall clock minus monotonic clock
   */
  Optional<GroupMembers> describe(String group, long offsetMs) {
    return Optional.ofNullable(groups.get(group)).filter(members -> !members.isEmpty()).map(members -> members.describe(offsetMs));
  }

  /** The connections to tell of a change in membership: none when the group broadcasts, because nothing is shared out there. */
  Collection<ClientConnection> connectionsToNotify(String group) {
    ConsumerGroup members = groups.get(group);
    return members == null || members.broadcasting() ? List.of() : List.copyOf(members.connections());
  }

  private void leave(ClientConnection connection, String name, long nowMs, GroupChanges changes) {
    ConsumerGroup group = groups.get(name);
    group.remove(connection, nowMs);
    settle(name, group);
    changes.membership(name);
  }

  /** After somebody left, or was forgotten. */
  private void settle(String name, ConsumerGroup group) {
    if (group.isForgettable()) {
      groups.remove(name);
    }
    if (group.isEmpty()) {
      conflicts.forget(name);
    } else {
      conflicts.tell(name, group.sides());
    }
    note(name);
  }
}
