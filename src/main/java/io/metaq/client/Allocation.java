package io.metaq.client;

import java.util.Collection;
import java.util.List;

/** Which queues of a topic are whose. Every member computes it alone from the same lists, so it must agree with official clients. */
final class Allocation {
  private Allocation() {}

  /**
   * The strategy AVG: queues and members sorted, each member a contiguous range, the first {@code queues mod members} members one more.
   *
   * @return the share of {@code self}; empty when it is not among the members
   */
  static List<TopicQueue> average(Collection<TopicQueue> queues, Collection<String> members, String self) {
    List<TopicQueue> sortedQueues = queues.stream().sorted().toList();
    List<String> sortedMembers = members.stream().distinct().sorted().toList();
    int index = sortedMembers.indexOf(self);
    if (index < 0) {
      return List.of();
    }
    int share = sortedQueues.size() / sortedMembers.size();
    int larger = sortedQueues.size() % sortedMembers.size();
    int from = index * share + Math.min(index, larger);
    int to = from + share + (index < larger ? 1 : 0);
    return sortedQueues.subList(from, to);
  }
}
