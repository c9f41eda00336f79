package io.metaq.coordinator;

import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.Subscription;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The connected members of one consumer group and what the group is subscribed to: one set of subscriptions for all, taken from the
 * heartbeats. A subscription gives way to a newer one; a topic that a member's full heartbeat no longer names is dropped.
 */
@OwnedBy("GroupCoordinatorVerticle")
final class ConsumerGroup {
  private static final String BROADCASTING = "BROADCASTING";

  private final Map<ClientConnection, Member> members = new LinkedHashMap<>();
  private final Map<String, Subscription> subscriptions = new HashMap<>();
  private boolean broadcasting;
  private Heartbeat.Consumer lastWords;

  /**
   * What a heartbeat changed.
   *
   * @param visible whether the group looks different to the loops
   * @param membership whether members came or went or topics were added or dropped, so that the others should look again
   */
  record Change(boolean visible, boolean membership) {}

  /** Takes in what one member says. */
  Change heartbeat(Heartbeat beat, Heartbeat.Consumer consumer, long nowMs) {
    Member before = members.get(new ClientConnection(beat.loop(), beat.connectionId()));
    boolean joined = before == null || !before.clientId().equals(beat.clientId());
    Map<String, String> wishes = beat.withoutSubscriptions() ? joined ? Map.of() : before.wishes : wishes(consumer);
    int fingerprint = beat.withoutSubscriptions() ? joined ? 0 : before.fingerprint : beat.fingerprint();
    members.put(
        new ClientConnection(beat.loop(), beat.connectionId()), new Member(beat, nowMs, fingerprint, wishes));
    lastWords = consumer;

    boolean modelChanged = broadcasting != BROADCASTING.equals(consumer.messageModel());
    broadcasting = BROADCASTING.equals(consumer.messageModel());
    Change topics = beat.withoutSubscriptions() ? new Change(false, false) : subscribe(consumer.subscriptions());
    return new Change(joined || modelChanged || topics.visible, joined || topics.membership);
  }

  /** Whether the member behind this connection has sent its full subscriptions under this fingerprint. */
  boolean knows(ClientConnection connection, int fingerprint) {
    Member member = members.get(connection);
    return member != null && member.fingerprint == fingerprint;
  }

  /** Another member that wants something else than the one behind {@code connection}; empty when all agree. */
  Optional<String> disagreeing(ClientConnection connection) {
    Member member = members.get(connection);
    return members.values().stream()
        .filter(other -> other != member && !other.wishes.equals(member.wishes))
        .map(other -> other.clientId())
        .findFirst();
  }

  /** Ends one membership; whether there was one. */
  boolean remove(ClientConnection connection) {
    return members.remove(connection) != null;
  }

  /** Connections whose last heartbeat is older than {@code oldestMs}. */
  List<ClientConnection> silentSince(long oldestMs) {
    return members.entrySet().stream().filter(member -> member.getValue().seenMs < oldestMs).map(Map.Entry::getKey).toList();
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  boolean broadcasting() {
    return broadcasting;
  }

  Collection<ClientConnection> connections() {
    return members.keySet();
  }

  GroupSnapshot snapshot(GroupConfig config) {
    List<String> ids = members.values().stream().map(Member::clientId).distinct().sorted().toList();
    return new GroupSnapshot(config, true, broadcasting, subscriptions, ids);
  }

  /**
   * The members for people.
   *
   * @param offsetMs wall clock minus monotonic clock
   */
  GroupMembers describe(long offsetMs) {
    return new GroupMembers(members.values().stream().map(member -> member.info(offsetMs)).toList(), lastWords.consumeType(),
        lastWords.messageModel(), lastWords.consumeFromWhere(), subscriptions);
  }

  private Change subscribe(List<Subscription> wanted) {
    boolean visible = false;
    boolean topicsChanged = false;
    for (Subscription subscription : wanted) {
      Subscription before = subscriptions.get(subscription.topic());
      if (before == null || subscription.version() > before.version()) {
        subscriptions.put(subscription.topic(), subscription);
        visible = true;
        topicsChanged |= before == null;
      }
    }
    Predicate<String> named = wanted.stream().map(Subscription::topic).collect(Collectors.toSet())::contains;
    boolean dropped = subscriptions.keySet().removeIf(named.negate());
    return new Change(visible || dropped, topicsChanged || dropped);
  }

  private static Map<String, String> wishes(Heartbeat.Consumer consumer) {
    return consumer.subscriptions().stream().collect(Collectors.toMap(Subscription::topic, Subscription::expression, (a, b) -> b));
  }

  /**
   * One connected member.
   *
   * @param seenMs when its last heartbeat came, on a monotonic clock
   * @param wishes topic to expression, as its last full heartbeat had them
   */
  private record Member(String clientId, String remote, String language, int version, long seenMs, int fingerprint,
      Map<String, String> wishes) {
    Member(Heartbeat beat, long seenMs, int fingerprint, Map<String, String> wishes) {
      this(beat.clientId(), beat.remote(), beat.language(), beat.version(), seenMs, fingerprint, wishes);
    }

    /** {@code offsetMs}: wall clock minus monotonic clock. */
    ClientInfo info(long offsetMs) {
      return new ClientInfo(clientId, remote, language, version, seenMs + offsetMs);
    }
  }
}
