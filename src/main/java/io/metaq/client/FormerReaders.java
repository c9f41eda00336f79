package io.metaq.client;

import java.util.Collection;
import java.util.List;

/**
 * Which members of a group are to be asked whether they have let go of queues. All others of a small group; in a larger one, where the
 * requests would grow with the square of the group, only those that the queues were divided to before.
 */
record FormerReaders(Allocation allocation, Collection<TopicQueue> queues, List<String> before) {
  /** So many others are asked whatever they had. */
  static final int ALL_ASKED = 16;

  /**
   * Some of the others. In large groups it divides as often as the group has members: not for an event loop.
   *
   * @param others the other members now
   * @param gained what came
   * @throws RuntimeException what an application's strategy throws
   */
  List<String> of(List<String> others, Collection<TopicQueue> gained) {
    if (isSmall(others)) {
      return others;
    }
    return others.stream()
        .filter(other -> allocation.share(queues, before, other).stream().anyMatch(gained::contains))
        .toList();
  }

  static boolean isSmall(List<String> others) {
    return others.size() <= ALL_ASKED;
  }
}
