package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who counts as a member of a group. A broker that was restarted knows only those who have told it since: until it has had time to hear of
 * all, that somebody is missing from its list proves nothing, and whoever was a member before is one still, for 40 s after it was missed first.
 * Who is missing from a list that had it before, over the same connection, has left.
 */
@OwnedBy("its client's context")
final class Roster {
  /** Members tell a broker that is back within their 30 s between two heartbeats, and have as long as that takes. */
  static final long HEARD_BY_ALL_NS = 40_000_000_000L;

  private final Map<Address, Heard> brokers = new HashMap<>();
  private final Map<String, Long> missedSinceNs = new HashMap<>();
  private List<String> members = List.of();
  private boolean complete = true;

  /** Everybody a broker has named over one young connection. */
  private record Heard(Object connection, Set<String> named) {}

  /**
   * Takes note of a broker's list; gives those who count.
   *
   * @param connection that the list came over, compared by identity
   * @param ageNs how long there has been this connection
   * @param nowNs the time now, by the clock
   */
  List<String> told(Address broker, Object connection, long ageNs, long nowNs, List<String> list) {
    missedSinceNs.keySet().removeAll(list);
    List<String> counted = new ArrayList<>(list);
    if (ageNs < HEARD_BY_ALL_NS) {
      Set<String> named = named(broker, connection);
      named.addAll(list);
      members.stream().filter(member -> !named.contains(member) && isMissedBriefly(member, nowNs)).forEach(counted::add);
    } else {
      brokers.remove(broker);
    }
    complete = counted.size() == list.size();
    members = List.copyOf(counted);
    missedSinceNs.keySet().retainAll(members);
    return members;
  }

  private Set<String> named(Address broker, Object connection) {
    Heard heard = brokers.get(broker);
    if (heard == null || heard.connection != connection) {
      heard = new Heard(connection, new HashSet<>());
      brokers.put(broker, heard);
    }
    return heard.named;
  }

  /** However often the connection is made anew: queues of a member that is gone must not be unread for as long as it breaks again and again. */
  private boolean isMissedBriefly(String member, long nowNs) {
    return nowNs - missedSinceNs.computeIfAbsent(member, missed -> nowNs) < HEARD_BY_ALL_NS;
  }

  /** Whether the last list had everybody who counts. */
  boolean complete() {
    return complete;
  }
}
