package io.metaq.client;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides whom a member has to ask before it reads queues that came to it, and begins with each when it may: with those in order at once,
 * for their locks keep others out; with the rest by a {@link Takeover} from all other members of a small group, or from those of a large one
 * that the queues were divided to before.
 *
 * @param allocation how the group's queues are divided
 */
record Takeovers(ClientParts parts, String group, Allocation allocation) {

  /**
   * Begins with queues of one topic.
   *
   * @param before members that its queues were divided among until now, empty when that is not known
   * @param members those of now, this client among them
   */
  void begin(Route route, List<String> before, List<String> members, List<HeldQueue> gained) {
    List<String> others = members.stream().filter(member -> !member.equals(parts.clientId())).toList();
    gained.stream().filter(queue -> others.isEmpty() || queue.ordered()).forEach(HeldQueue::begin);
    List<HeldQueue> waiting = gained.stream().filter(queue -> !others.isEmpty() && !queue.ordered()).toList();
    if (waiting.isEmpty()) {
      return;
    }
    if (FormerReaders.isSmall(others)) {
      begin(route, others, true, waiting);
      return;
    }
    FormerReaders former = new FormerReaders(allocation, route.readable(), before.isEmpty() ? others : before);
    Set<TopicQueue> queues = waiting.stream().map(HeldQueue::queue).collect(Collectors.toSet());
    parts.home().blocking(() -> former.of(others, queues))
        .otherwise(List.of())
        .onSuccess(asked -> begin(route, asked, false, waiting));
  }

  private void begin(Route route, List<String> asked, boolean all, List<HeldQueue> waiting) {
    Takeover takeover = new Takeover(parts, group, asked, all, Shares.masterFirst(route));
    waiting.forEach(queue -> takeover.add(queue.queue(), queue::begin));
    takeover.start();
  }
}
