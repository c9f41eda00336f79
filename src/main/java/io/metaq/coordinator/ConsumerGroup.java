package io.metaq.coordinator;

import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupConflict;
import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The connected members of one consumer group and what each of them is subscribed to. Of a member's subscription to a topic a newer
 * version replaces the older one; a topic that its full heartbeat no longer names is dropped. The group's subscriptions are those
 * of all its members, of each topic the newest.
 *
 * <p>Where progress is held, what members wanted that left is remembered for {@value #REMEMBERED_MS} ms, when no other member wants
 * the same: one that restarts should find what the others passed over in the meantime. When the broker restarts all of them have
 * left. Bound: {@value #MAX_REMEMBERED} of these, the latest.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class ConsumerGroup {
  static final long REMEMBERED_MS = 600_000;
  static final int MAX_REMEMBERED = 16;

  private final boolean remembers;
  private final Map<ClientConnection, Member> members = new LinkedHashMap<>();
  private final Map<Wish, Gone> gone = new LinkedHashMap<>();
  private Map<String, Subscription> subscriptions = Map.of();
  private boolean broadcasting;
  private Heartbeat.Consumer lastWords;

  /**
   * @param remembers whether what members wanted that left counts for a while
   */
  ConsumerGroup(boolean remembers) {
    this.remembers = remembers;
  }

  /**
   * What a heartbeat changed.
   *
   * @param visible whether the group looks different to the loops
   * @param membership whether members came or went or topics were added or dropped, so that the others should look again
   */
  record Change(boolean visible, boolean membership) {}

  /**
   * Members that want the same.
   *
   * @param clientId of the first of them
   * @param members how many are connected
   */
  record Side(Wish wish, String clientId, String remote, int members) {
    String words() {
      String who = switch (members) {
        case 0 -> clientId + " at " + remote + ", which left,";
        case 1 -> clientId + " at " + remote;
        default -> clientId + " at " + remote + " and " + (members - 1) + " more";
      };
      return who + " wants " + wish;
    }
  }

  /** Takes in what one member says. */
  Change heartbeat(Heartbeat beat, Heartbeat.Consumer consumer, long nowMs) {
    ClientConnection connection = new ClientConnection(beat.loop(), beat.connectionId());
    Optional<Member> before = Optional.ofNullable(members.get(connection)).filter(known -> known.clientId().equals(beat.clientId()));
    Map<String, Subscription> own = newest(before.map(Member::subscriptions).orElse(Map.of()), consumer.subscriptions());
    Member now = beat.withoutSubscriptions()
        ? before.map(known -> known.seen(nowMs)).orElseGet(() -> new Member(beat, nowMs, 0, Wish.UNKNOWN, Map.of()))
        : new Member(beat, nowMs, beat.fingerprint(), Wish.of(consumer, own.values()), own);
    members.put(connection, now);
    gone.remove(now.wish);
    lastWords = consumer;

    boolean joined = before.isEmpty();
    boolean modelChanged = broadcasting != Wish.broadcasts(consumer.messageModel());
    broadcasting = Wish.broadcasts(consumer.messageModel());
    boolean wishChanged = joined || !before.get().wish.equals(now.wish);
    Change topics = derive();
    return new Change(
        wishChanged || modelChanged || topics.visible || ownVersionCounts(before, now), joined || topics.membership);
  }

  /** Whether a member is known by a newer version of what it wants, though another has a newer one still: sides do not share them. */
  private boolean ownVersionCounts(Optional<Member> before, Member now) {
    return before.isPresent() && !before.get().subscriptions.equals(now.subscriptions) && bySide().size() > 1;
  }

  /** Whether the member behind this connection has sent its full subscriptions under this fingerprint. */
  boolean knows(ClientConnection connection, int fingerprint) {
    Member member = members.get(connection);
    return member != null && member.fingerprint == fingerprint;
  }

  /** Whether the member behind this connection wants just this. */
  boolean wants(ClientConnection connection, Wish wish) {
    Member member = members.get(connection);
    return member != null && member.wish.equals(wish);
  }

  /** The first member that wants something else than one who wants {@code wish} behind {@code connection}. */
  Optional<Side> contradicting(ClientConnection connection, Wish wish) {
    return members.entrySet().stream()
        .filter(member -> !member.getKey().equals(connection) && member.getValue().wish.contradicts(wish))
        .findFirst()
        .map(member -> side(member.getValue().wish, bySide().get(member.getValue().wish)));
  }

  /** The members by what they want, in the order they came; one side when all agree. */
  List<Side> sides() {
    List<Side> sides = new ArrayList<>();
    bySide().forEach((wish, connections) -> sides.add(side(wish, connections)));
    return sides;
  }

  private Side side(Wish wish, List<ClientConnection> connections) {
    if (connections.isEmpty()) {
      Gone left = gone.get(wish);
      return new Side(wish, left.clientId, left.remote, 0);
    }
    Member first = members.get(connections.get(0));
    return new Side(wish, first.clientId, first.remote, connections.size());
  }

  /** The members by what they want; none for what only those wanted that left lately. */
  private Map<Wish, List<ClientConnection>> bySide() {
    Map<Wish, List<ClientConnection>> sides = new LinkedHashMap<>();
    members.forEach((connection, member) -> {
      if (member.wish.known()) {
        sides.computeIfAbsent(member.wish, wish -> new ArrayList<>()).add(connection);
      }
    });
    gone.keySet().forEach(wish -> sides.put(wish, List.of()));
    return sides;
  }

  /** Ends one membership; whether there was one. */
  boolean remove(ClientConnection connection, long nowMs) {
    Member member = members.remove(connection);
    if (member == null) {
      return false;
    }
    if (remembers && member.wish.known() && members.values().stream().noneMatch(other -> other.wish.equals(member.wish))) {
      gone.put(member.wish, new Gone(member.clientId, member.remote, member.subscriptions, nowMs));
      if (gone.size() > MAX_REMEMBERED) {
        gone.remove(gone.keySet().iterator().next());
      }
    }
    derive();
    return true;
  }

  /** Remembers what members wanted of an earlier process, as if they had just left. Those that were there then come first. */
  void remember(List<ConflictsFile.Side> sides, long nowMs) {
    for (ConflictsFile.Side side : sides.subList(0, Math.min(MAX_REMEMBERED, sides.size()))) {
      Map<String, Subscription> wanted = new HashMap<>();
      side.subscriptions().forEach(subscription -> wanted.put(subscription.topic(), subscription));
      gone.put(side.wish(), new Gone(side.clientId(), side.remote(), wanted, nowMs));
    }
  }

  /** What is to be remembered of the group when this process ends; nothing when all agree. */
  List<ConflictsFile.Side> toRemember() {
    Map<Wish, List<ClientConnection>> sides = bySide();
    if (sides.size() < 2) {
      return List.of();
    }
    List<ConflictsFile.Side> kept = new ArrayList<>();
    sides.forEach((wish, connections) -> {
      Side side = side(wish, connections);
      kept.add(new ConflictsFile.Side(side.clientId, side.remote, wish.consumeType(), wish.messageModel(),
          List.copyOf(told(wish, connections).subscriptions().values())));
    });
    return kept;
  }

  /** Forgets what those wanted that left long ago; whether there was anything. */
  boolean forgetGone(long nowMs) {
    return gone.values().removeIf(left -> left.atMs < nowMs - REMEMBERED_MS);
  }

  /** Connections whose last heartbeat is older than {@code oldestMs}. */
  List<ClientConnection> silentSince(long oldestMs) {
    return members.entrySet().stream().filter(member -> member.getValue().seenMs < oldestMs).map(Map.Entry::getKey).toList();
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  /** Whether nobody is here, and those that were did not want different things. */
  boolean isForgettable() {
    return members.isEmpty() && gone.size() < 2;
  }

  boolean broadcasting() {
    return broadcasting;
  }

  Collection<ClientConnection> connections() {
    return members.keySet();
  }

  /**
   * The group as the loops see it.
   *
   * @param holdsProgress as {@link GroupConflict#holdsProgress}
   */
  GroupSnapshot snapshot(GroupConfig config, Set<String> forbiddenTopics, boolean holdsProgress) {
    List<String> ids = members.values().stream().map(Member::clientId).distinct().sorted().toList();
    return new GroupSnapshot(config, !members.isEmpty(), broadcasting, subscriptions, ids, forbiddenTopics, conflict(holdsProgress));
  }

  private GroupConflict conflict(boolean holdsProgress) {
    Map<Wish, List<ClientConnection>> sides = bySide();
    if (sides.size() < 2) {
      return GroupConflict.NONE;
    }
    List<GroupConflict.Side> told = new ArrayList<>();
    sides.forEach((wish, connections) -> told.add(told(wish, connections)));
    return new GroupConflict(holdsProgress, told);
  }

  private GroupConflict.Side told(Wish wish, List<ClientConnection> connections) {
    if (connections.isEmpty()) {
      return new GroupConflict.Side(!wish.broadcasts(), gone.get(wish).subscriptions, Set.of());
    }
    Map<String, Subscription> wanted = new HashMap<>();
    Set<Long> connectionIds = new HashSet<>();
    for (ClientConnection connection : connections) {
      connectionIds.add(connection.connectionId());
      merge(wanted, members.get(connection).subscriptions);
    }
    return new GroupConflict.Side(!wish.broadcasts(), wanted, connectionIds);
  }

  /**
   * The members for people.
   *
   * @param offsetMs wall clock minus monotonic clock
   */
  GroupMembers describe(long offsetMs) {
    List<ClientInfo> infos = members.entrySet().stream().map(member -> member.getValue().info(member.getKey(), offsetMs)).toList();
    List<String> sides = sides().stream().map(Side::words).toList();
    return new GroupMembers(infos, lastWords.consumeType(), lastWords.messageModel(), lastWords.consumeFromWhere(), subscriptions,
        sides.size() < 2 ? List.of() : sides);
  }

  private Change derive() {
    Map<String, Subscription> merged = new HashMap<>();
    members.values().forEach(member -> merge(merged, member.subscriptions));
    Change change = new Change(!merged.equals(subscriptions), !merged.keySet().equals(subscriptions.keySet()));
    subscriptions = Map.copyOf(merged);
    return change;
  }

  private static void merge(Map<String, Subscription> into, Map<String, Subscription> more) {
    more.values().forEach(subscription -> into.merge(
        subscription.topic(), subscription, (known, other) -> other.version() > known.version() ? other : known));
  }

  private static Map<String, Subscription> newest(Map<String, Subscription> before, List<Subscription> wanted) {
    Map<String, Subscription> newest = new HashMap<>();
    for (Subscription subscription : wanted) {
      Subscription known = before.get(subscription.topic());
      newest.put(subscription.topic(), known != null && known.version() >= subscription.version() ? known : subscription);
    }
    return Map.copyOf(newest);
  }

  /** What a side wanted whose last member left. */
  private record Gone(String clientId, String remote, Map<String, Subscription> subscriptions, long atMs) {}

  /**
   * One connected member.
   *
   * @param seenMs when its last heartbeat came, on a monotonic clock
   * @param wish as its last full heartbeat had it
   */
  private record Member(String clientId, String remote, String language, int version, long seenMs, int fingerprint, Wish wish,
      Map<String, Subscription> subscriptions) {
    Member(Heartbeat beat, long seenMs, int fingerprint, Wish wish, Map<String, Subscription> subscriptions) {
      this(beat.clientId(), beat.remote(), beat.language(), beat.version(), seenMs, fingerprint, wish, subscriptions);
    }

    Member seen(long nowMs) {
      return new Member(clientId, remote, language, version, nowMs, fingerprint, wish, subscriptions);
    }

    /** {@code offsetMs}: wall clock minus monotonic clock. */
    ClientInfo info(ClientConnection connection, long offsetMs) {
      return new ClientInfo(connection.loop(), connection.connectionId(), clientId, remote, language, version, seenMs + offsetMs);
    }
  }
}
