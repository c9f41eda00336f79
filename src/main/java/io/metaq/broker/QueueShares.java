package io.metaq.broker;

import io.metaq.codec.client.AssignmentBodies.Queue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which queues a member of a group gets. Every broker that is asked must come to the same answer from the same sorted queues and
 * members; so these are RocketMQ's rules to the letter.
 */
final class QueueShares {
  private QueueShares() {}

  /** Shares the queues out; empty when the strategy is unknown. A member that is not among the members gets nothing. */
  static Optional<List<Queue>> pull(String strategy, List<Queue> queues, List<String> members, String member) {
    int index = members.indexOf(member);
    return switch (strategy) {
      case "AVG" -> Optional.of(index < 0 ? List.of() : average(queues, members.size(), index));
      case "AVG_BY_CIRCLE" -> Optional.of(index < 0 ? List.of() : circle(queues, members.size(), index));
      default -> Optional.empty();
    };
  }

  /**
   * The same for a group that pops.
   *
   * @param share with how many members after him a member shares his queues; below 1, or when it reaches all others, everybody pops
   *     every queue of each broker
   */
  static Optional<List<Queue>> pop(String strategy, List<Queue> queues, List<String> members, String member, int share) {
    if (share < 1 || share >= members.size() - 1) {
      return Optional.of(queues.stream().map(queue -> new Queue(queue.brokerName(), -1)).distinct().toList());
    }
    Optional<List<Queue>> own = pull(strategy, queues, members, member);
    int index = members.indexOf(member);
    if (own.isEmpty() || index < 0) {
      return own;
    }
    if (members.size() > queues.size()) {
      return Optional.of(List.of(queues.get(index % queues.size())));
    }
    Set<Queue> all = new LinkedHashSet<>(own.get());
    for (int i = 1; i <= share; i++) {
      all.addAll(pull(strategy, queues, members, members.get((index + i) % members.size())).orElseThrow());
    }
    return Optional.of(List.copyOf(all));
  }

  /** Neighbouring queues; the first members get one more where it does not divide. */
  private static List<Queue> average(List<Queue> queues, int members, int index) {
    int rest = queues.size() % members;
    int size = queues.size() / members + (index < rest ? 1 : 0);
    int first = index * (queues.size() / members) + Math.min(index, rest);
    return List.copyOf(queues.subList(Math.min(first, queues.size()), Math.min(first + size, queues.size())));
  }

  private static List<Queue> circle(List<Queue> queues, int members, int index) {
    List<Queue> own = new ArrayList<>();
    for (int i = index; i < queues.size(); i += members) {
      own.add(queues.get(i));
    }
    return own;
  }
}
