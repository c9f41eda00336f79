package io.metaq.coordinator;

import io.metaq.coordinator.api.GroupPlace;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The queues that groups pop, and what groups pop together. A group's progress is read once, at the start or when it pops first,
 * and kept here from then on: the coordinator of progress tells what others commit for it.
 */
@OwnedBy("PopVerticle")
final class PopTable {
  private final Map<QueueName, PopQueue> queues = new HashMap<>();
  private final Map<TargetName, PopTarget> targets = new HashMap<>();
  private final Map<String, List<PopTarget>> byTopic = new HashMap<>();
  private final Map<String, Map<String, Map<Integer, GroupPlace>>> progress = new HashMap<>();

  private final Consumer<PopQueue> adopted;

  /**
   * @param adopted hears of a queue whose place somebody else has set, when pops go on from there
   */
  PopTable(Consumer<PopQueue> adopted) {
    this.adopted = adopted;
  }

  private record QueueName(String group, String topic, int queueId) {}

  private record TargetName(String group, String topic) {}

  /** Whether the group's progress was read. */
  boolean knows(String group) {
    return progress.containsKey(group);
  }

  /**
   * Takes a group's progress over. What the log says of it counts where it says more, or knows of a later move.
   *
   * @return places that are from a later move than is committed: a process died before it was written down
   */
  List<GroupPlace> learn(String group, List<GroupPlace> committed) {
    progress.put(group, new HashMap<>());
    committed.forEach(this::keep);
    List<GroupPlace> unknown = new ArrayList<>();
    queues.values().stream().filter(queue -> queue.group().equals(group)).forEach(queue -> {
      GroupPlace place = committed(queue);
      queue.reached(place.movedMs(), place.next());
      if (queue.movedMs() > place.movedMs()) {
        unknown.add(queue.place(queue.next()));
      }
    });
    return unknown;
  }

  private void keep(GroupPlace place) {
    progress.get(place.group()).computeIfAbsent(place.topic(), name -> new HashMap<>()).put(place.queueId(), place);
  }

  private GroupPlace committed(PopQueue queue) {
    GroupPlace place = progress.getOrDefault(queue.group(), Map.of()).getOrDefault(queue.topic(), Map.of()).get(queue.queueId());
    return place == null ? new GroupPlace(queue.group(), queue.topic(), queue.queueId(), PopQueue.UNKNOWN, 0) : place;
  }

  /** Somebody else set the group's progress: it pops from there, whatever blocked the queue. */
  void moved(GroupPlace place) {
    PopQueue queue = find(place.group(), place.topic(), place.queueId());
    if (queue != null) {
      queue.moved(place.movedMs(), place.next());
      adopted.accept(queue);
    } else if (knows(place.group())) {
      keep(place);
    }
  }

  PopQueue queue(String group, String topic, int queueId) {
    return queues.computeIfAbsent(new QueueName(group, topic, queueId), name -> {
      PopQueue queue = new PopQueue(group, topic, queueId);
      GroupPlace place = committed(queue);
      queue.reached(place.movedMs(), place.next());
      return queue;
    });
  }

  /** The queue, null when nobody popped it. */
  PopQueue find(String group, String topic, int queueId) {
    return queues.get(new QueueName(group, topic, queueId));
  }

  Collection<PopQueue> queues() {
    return queues.values();
  }

  /** Groups of which a queue is known. */
  Set<String> groups() {
    return queues.values().stream().map(PopQueue::group).collect(Collectors.toSet());
  }

  /** The target with at least so many queues. */
  PopTarget target(String group, String topic, int readQueues, int retryQueues) {
    PopTarget target = targets.computeIfAbsent(new TargetName(group, topic), name -> {
      PopTarget made = new PopTarget(group, topic, Topics.popRetryOf(topic, group));
      byTopic.computeIfAbsent(topic, any -> new ArrayList<>()).add(made);
      byTopic.computeIfAbsent(made.retryTopic(), any -> new ArrayList<>()).add(made);
      return made;
    });
    widen(target.queues(), group, topic, readQueues);
    widen(target.retryQueues(), group, target.retryTopic(), Math.max(1, retryQueues));
    return target;
  }

  private void widen(List<PopQueue> known, String group, String topic, int count) {
    while (known.size() < count) {
      PopQueue queue = queue(group, topic, known.size());
      known.add(queue);
      if (queue.next() != PopQueue.UNKNOWN) {
        adopted.accept(queue);
      }
    }
  }

  /** The target, null when nobody popped it. */
  PopTarget find(String group, String topic) {
    return targets.get(new TargetName(group, topic));
  }

  Collection<PopTarget> targets() {
    return targets.values();
  }

  /** What is popped from a topic, or from the topic that it is the retry topic of. */
  List<PopTarget> targetsOf(String topic) {
    return byTopic.getOrDefault(topic, List.of());
  }

  /**
   * Forgets a group.
   *
   * @return what it popped; nobody finds it here any more
   */
  List<PopTarget> forgetGroup(String group) {
    progress.remove(group);
    return forget(target -> target.group().equals(group), queue -> queue.group().equals(group));
  }

  /**
   * Forgets how far a topic, and the retry topics of it, were popped. Of a retry topic that is still popped with its topic only the
   * places are forgotten.
   *
   * @return what was popped of it; nobody finds it here any more
   */
  List<PopTarget> forgetTopic(String topic) {
    progress.values().forEach(topics -> topics.remove(topic));
    return forget(target -> target.topic().equals(topic), queue -> isOf(queue, topic));
  }

  private List<PopTarget> forget(Predicate<PopTarget> gone, Predicate<PopQueue> places) {
    List<PopTarget> forgotten = targets.values().stream().filter(gone).toList();
    forgotten.forEach(target -> {
      targets.remove(new TargetName(target.group(), target.topic()));
      leave(target.topic(), target);
      leave(target.retryTopic(), target);
    });
    queues.values().stream().filter(places).forEach(PopQueue::forget);
    queues.values().removeIf(queue -> places.test(queue)
        && targetsOf(queue.topic()).stream().noneMatch(target -> target.group().equals(queue.group())));
    return forgotten;
  }

  private void leave(String topic, PopTarget target) {
    byTopic.computeIfPresent(topic, (name, known) -> {
      known.remove(target);
      return known.isEmpty() ? null : known;
    });
  }

  static boolean isOf(PopQueue queue, String topic) {
    return queue.topic().equals(topic) || queue.topic().equals(Topics.popRetryOf(topic, queue.group()));
  }
}
