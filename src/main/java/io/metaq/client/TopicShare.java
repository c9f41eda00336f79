package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The queues of one topic that are read here now, each with its reader, and what is known about the topic since reading began. */
@OwnedBy("its client's context")
final class TopicShare<R> {
  private final Map<TopicQueue, R> readers = new HashMap<>();
  private Set<TopicQueue> firstQueues;
  private List<String> members = List.of();

  /** What has to change so that exactly the wanted queues are read. */
  record Change<R>(List<R> lost, List<TopicQueue> gained) {}

  /** The queues the topic has now; the first call decides which of them are older than the reading. */
  void seen(Collection<TopicQueue> queues) {
    if (firstQueues == null) {
      firstQueues = new HashSet<>(queues);
    }
  }

  /**
   * Where to begin in a queue without stored progress: the end of a queue that came up later is its beginning, because all of it was sent
   * since.
   */
  Position beginning(TopicQueue queue, Position wanted) {
    boolean later = !firstQueues.contains(queue);
    return later && wanted instanceof Position.Latest ? Position.EARLIEST : wanted;
  }

  /** The queues are divided among these from now on; gives those they were divided among before, empty at first. */
  List<String> dividedAmong(List<String> now) {
    List<String> before = members;
    members = now;
    return before;
  }

  Change<R> changeTo(Collection<TopicQueue> wanted) {
    return new Change<>(
        readers.entrySet().stream().filter(reader -> !wanted.contains(reader.getKey())).map(Map.Entry::getValue).toList(),
        wanted.stream().filter(queue -> !readers.containsKey(queue)).toList());
  }

  void add(TopicQueue queue, R reader) {
    readers.put(queue, reader);
  }

  void remove(TopicQueue queue) {
    readers.remove(queue);
  }

  /** The reader of a queue, empty when it is not read here. */
  Optional<R> of(TopicQueue queue) {
    return Optional.ofNullable(readers.get(queue));
  }

  List<R> readers() {
    return List.copyOf(readers.values());
  }
}
