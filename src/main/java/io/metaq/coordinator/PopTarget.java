package io.metaq.coordinator;

import io.metaq.coordinator.api.PopRequest;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A topic as one group pops it: its queues, those of the group's retry topic of it, and the pops that wait for messages, in order.
 */
@OwnedBy("PopVerticle")
final class PopTarget {
  /** A pop that waits. It is due when it has waited long enough. */
  static final class Waiter extends DueHeap.Entry {
    private final PopRequest request;
    private final PopTarget target;

    Waiter(PopRequest request, PopTarget target) {
      super(request.holdUntilMs());
      this.request = request;
      this.target = target;
    }

    PopRequest request() {
      return request;
    }

    PopTarget target() {
      return target;
    }
  }

  private final String group;
  private final String topic;
  private final String retryTopic;
  private final List<PopQueue> queues = new ArrayList<>();
  private final List<PopQueue> retryQueues = new ArrayList<>();
  private final Set<Waiter> waiters = new LinkedHashSet<>();
  private final Map<Integer, Integer> waitersByQueueId = new HashMap<>();

  PopTarget(String group, String topic, String retryTopic) {
    this.group = group;
    this.topic = topic;
    this.retryTopic = retryTopic;
  }

  String group() {
    return group;
  }

  String topic() {
    return topic;
  }

  String retryTopic() {
    return retryTopic;
  }

  /** The topic's queues as far as any pop has looked at them. */
  List<PopQueue> queues() {
    return queues;
  }

  /** The same of the retry topic. */
  List<PopQueue> retryQueues() {
    return retryQueues;
  }

  /** Those that wait, the first first. Not to be changed while it is walked over. */
  Set<Waiter> waiters() {
    return waiters;
  }

  /** How many wait for exactly this queue id. */
  int waiting(int queueId) {
    return waitersByQueueId.getOrDefault(queueId, 0);
  }

  void add(Waiter waiter) {
    if (waiters.add(waiter)) {
      waitersByQueueId.merge(waiter.request().queueId(), 1, Integer::sum);
    }
  }

  void remove(Waiter waiter) {
    if (waiters.remove(waiter)) {
      waitersByQueueId.computeIfPresent(waiter.request().queueId(), (queueId, count) -> count == 1 ? null : count - 1);
    }
  }
}
