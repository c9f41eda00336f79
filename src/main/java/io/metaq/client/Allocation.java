package io.metaq.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which queues of a topic are whose. Every member of a group computes it alone from the same lists, so all of them must use the same
 * strategy. Those here give what the official clients' strategies of 5.5.0 give, so that groups may be mixed. Called from any thread.
 */
@FunctionalInterface
public interface Allocation {
  /**
   * Each member a contiguous range, the first {@code queues mod members} members one more (AVG, the usual one of official clients).
   */
  Allocation AVERAGE = sorted(Allocation::range);

  /** The queues dealt out one by one (AVG_BY_CIRCLE). */
  Allocation CIRCLE = sorted(
      (queues, members, index) ->
          IntStream.range(0, queues.size()).filter(i -> i % members.size() == index).mapToObj(queues::get).toList());

  /** By a hash of each queue on a ring of ten places for each member (CONSISTENT_HASH): few queues move when a member comes or goes. */
  Allocation CONSISTENT_HASH = consistentHash(10);

  /**
   * The share of one member.
   *
   * @param queues all of the topic's, in any order
   * @param members client ids of all members, in any order
   * @param self one of them
   * @return empty when {@code self} is not among the members
   */
  List<TopicQueue> share(Collection<TopicQueue> queues, Collection<String> members, String self);

  /**
   * As {@link #CONSISTENT_HASH} with another number of places for each member.
   *
   * @param places at least 1; more divide more evenly
   */
  static Allocation consistentHash(int places) {
    if (places < 1) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "a member needs at least one place on the ring, not " + places);
    }
    return (queues, members, self) -> {
      HashRing ring = new HashRing(members, places);
      return queues.stream().sorted().filter(queue -> self.equals(ring.memberFor(queue))).toList();
    };
  }

  /**
   * Only queues of these rooms, averaged over all members (MACHINE_ROOM). The room of a broker is its name up to the {@code @}; what is left
   * over goes to the first members.
   */
  static Allocation rooms(Set<String> rooms) {
    Set<String> wanted = Set.copyOf(rooms);
    return (queues, members, self) -> {
      List<TopicQueue> near = queues.stream().filter(queue -> wanted.contains(roomInName(queue.broker()))).toList();
      return sorted(Allocation::rangeAndRest).share(near, members, self);
    };
  }

  /**
   * The queues of a room to the members in it, those of rooms without a member to all members (MACHINE_ROOM_NEARBY).
   *
   * @param within how to divide in both cases
   * @param roomOfBroker never null; gets the broker's name
   * @param roomOfMember never null; gets the client id, which begins with {@link MetaqClientOptions#setInstanceName the instance name}
   */
  static Allocation nearby(Allocation within, Function<String, String> roomOfBroker, Function<String, String> roomOfMember) {
    return (queues, members, self) -> {
      if (!members.contains(self)) {
        return List.of();
      }
      TreeMap<String, List<TopicQueue>> byRoom = new TreeMap<>();
      queues.forEach(queue -> byRoom.computeIfAbsent(roomOfBroker.apply(queue.broker()), room -> new ArrayList<>()).add(queue));
      String ownRoom = roomOfMember.apply(self);
      List<TopicQueue> share = new ArrayList<>();
      byRoom.forEach((room, there) -> {
        List<String> inRoom = members.stream().filter(member -> roomOfMember.apply(member).equals(room)).toList();
        if (room.equals(ownRoom) || inRoom.isEmpty()) {
          share.addAll(within.share(there, inRoom.isEmpty() ? members : inRoom, self));
        }
      });
      return List.copyOf(share);
    };
  }

  /** Divides lists that are sorted, for the member at an index. */
  private static Allocation sorted(Division division) {
    return (queues, members, self) -> {
      List<String> sortedMembers = members.stream().distinct().sorted().toList();
      int index = sortedMembers.indexOf(self);
      return index < 0 ? List.of() : division.share(queues.stream().sorted().toList(), sortedMembers, index);
    };
  }

  private static List<TopicQueue> range(List<TopicQueue> queues, List<String> members, int index) {
    int share = queues.size() / members.size();
    int larger = queues.size() % members.size();
    int from = index * share + Math.min(index, larger);
    return queues.subList(from, from + share + (index < larger ? 1 : 0));
  }

  private static List<TopicQueue> rangeAndRest(List<TopicQueue> queues, List<String> members, int index) {
    int share = queues.size() / members.size();
    Stream<TopicQueue> range = queues.subList(index * share, (index + 1) * share).stream();
    int rest = share * members.size() + index;
    return (rest < queues.size() ? Stream.concat(range, Stream.of(queues.get(rest))) : range).toList();
  }

  private static String roomInName(String broker) {
    String[] parts = broker.split("@");
    return parts.length == 2 ? parts[0] : "";
  }
}
