package io.metaq.coordinator;

import io.metaq.coordinator.PopTarget.Waiter;
import io.metaq.coordinator.api.PopRequest;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Pops that found nothing and wait. Their queues are watched by the dispatcher, each by one watch, however many wait in it; what
 * was watched and has messages now makes its targets ready to be looked at.
 */
@OwnedBy("PopVerticle")
final class WaitingPops {
  private final PopRules rules;
  private final PopTable table;
  private final PopOutside outside;
  private final DueHeap<Waiter> byTime = new DueHeap<>();
  private final Set<Watched> watched = new HashSet<>();

  WaitingPops(PopRules rules, PopTable table, PopOutside outside) {
    this.rules = rules;
    this.table = table;
    this.outside = outside;
  }

  private record Watched(String topic, int queueId) {}

  int size() {
    return byTime.size();
  }

  boolean hasRoomFor(PopRequest request, PopTarget target) {
    return target.waiting(request.queueId()) < rules.waitingOfQueue() && byTime.size() < rules.waitingInAll();
  }

  /** Lets a pop wait until it is due, or until its queues have messages. */
  void add(PopRequest request, PopTarget target, long nowMs) {
    Waiter waiter = new Waiter(request, target);
    target.add(waiter);
    byTime.add(waiter);
    watch(request, target, nowMs);
  }

  /** Sees that whoever waits hears of the next message; right after a look that found none. */
  void watch(PopRequest request, PopTarget target, long nowMs) {
    for (PopQueue queue : target.queues()) {
      boolean wanted = request.anyQueue() ? queue.queueId() < request.readQueues() : queue.queueId() == request.queueId();
      if (wanted && !queue.blockedFor(request, nowMs)) {
        watch(queue);
      }
    }
    if (!request.ordered()) {
      target.retryQueues().forEach(this::watch);
    }
  }

  /** From where the look ended that found nothing: what came since is told of at once. */
  private void watch(PopQueue queue) {
    if (watched.add(new Watched(queue.topic(), queue.queueId()))) {
      outside.watch(queue.topic(), queue.queueId(), queue.seen());
    }
  }

  /** A watched queue has messages now; the targets that wait in it. */
  List<PopTarget> arrived(String topic, int queueId) {
    watched.remove(new Watched(topic, queueId));
    return table.targetsOf(topic).stream().filter(target -> !target.waiters().isEmpty()).toList();
  }

  void remove(Waiter waiter) {
    byTime.remove(waiter);
    waiter.target().remove(waiter);
  }

  /** Nobody waits in a topic any more. */
  void forget(String topic) {
    watched.removeIf(queue -> queue.topic().equals(topic));
  }

  /** Takes out every pop of a target. */
  List<PopRequest> remove(PopTarget target) {
    List<Waiter> removed = List.copyOf(target.waiters());
    removed.forEach(this::remove);
    return removed.stream().map(Waiter::request).toList();
  }

  /** Takes out and hands over every pop that has waited long enough. */
  void expire(long nowMs, Consumer<PopRequest> expired) {
    for (Waiter waiter = byTime.due(nowMs); waiter != null; waiter = byTime.due(nowMs)) {
      remove(waiter);
      expired.accept(waiter.request());
    }
  }

  /** Takes out every pop that is meant. */
  List<PopRequest> remove(Predicate<PopRequest> meant) {
    List<PopRequest> removed = new ArrayList<>();
    byTime.removeIf(waiter -> {
      boolean remove = meant.test(waiter.request());
      if (remove) {
        waiter.target().remove(waiter);
        removed.add(waiter.request());
      }
      return remove;
    });
    return removed;
  }
}
