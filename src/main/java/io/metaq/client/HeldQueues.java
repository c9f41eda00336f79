package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The queues that one member of a group reads now, topic by topic, and the reins of one of them, of a topic's, or of all. */
@OwnedBy("its client's context")
final class HeldQueues {
  private final ClientParts parts;
  private final String group;
  private final QueueLease lease;
  private final Map<String, TopicShare<HeldQueue>> shares = new HashMap<>();
  private boolean paused;

  HeldQueues(ClientParts parts, String group, QueueLease lease) {
    this.parts = parts;
    this.group = group;
    this.lease = lease;
  }

  /** Begins with a topic, without any of its queues. */
  void begin(String topic) {
    shares.put(topic, new TopicShare<>());
    parts.routes().retain(topic);
  }

  boolean isEmpty() {
    return shares.isEmpty();
  }

  Set<String> topics() {
    return Set.copyOf(shares.keySet());
  }

  /** What is read of a topic; empty when nothing is to be. */
  Optional<TopicShare<HeldQueue>> share(String topic) {
    return Optional.ofNullable(shares.get(topic));
  }

  /** A queue that is read from now on. */
  void add(TopicShare<HeldQueue> share, HeldQueue queue) {
    queue.pause(paused);
    share.add(queue.queue(), queue);
  }

  /** Gives up a topic with all its queues, at once; completes when they are. */
  Future<Void> leave(String topic) {
    return leave(shares.remove(topic), false).onComplete(left -> parts.routes().release(topic));
  }

  /**
   * Gives up all queues; completes when they are.
   *
   * @param patient whether to wait for what subscribers have in hand
   */
  Future<Void> leaveAll(boolean patient) {
    return Future.join(shares.values().stream().map(share -> leave(share, patient)).toList())
        .<Void>mapEmpty()
        .onComplete(left -> shares.keySet().forEach(parts.routes()::release));
  }

  private static Future<Void> leave(TopicShare<HeldQueue> share, boolean patient) {
    return together(share.readers().stream().map(queue -> queue.leave(patient)).toList());
  }

  private static Future<Void> together(List<Future<Void>> each) {
    return each.isEmpty() ? Future.succeededFuture() : Future.join(each).mapEmpty();
  }

  /** All of them, in order. */
  List<HeldQueue> all() {
    return stream().sorted(Comparator.comparing(HeldQueue::queue)).toList();
  }

  /** Whether a queue is read, and not being given up. */
  boolean reads(TopicQueue queue) {
    return read(queue).isPresent();
  }

  /** A subscriber is gone: what it had of any queue is nobody's. */
  void forget(Subscriber gone) {
    stream().forEach(queue -> queue.forget(gone));
  }

  /** A subscriber asked for the first time. */
  void demanded() {
    stream().forEach(HeldQueue::demanded);
  }

  /** Tells where the progress is kept how far every queue has come. */
  void noteProgress() {
    stream().forEach(HeldQueue::noteProgress);
  }

  /** Call once a second. */
  void tick() {
    stream().forEach(HeldQueue::tick);
  }

  /** Holds all, also those that come later, or lets them go on. */
  Future<Void> pauseAll(boolean pause) {
    paused = pause;
    stream().forEach(queue -> queue.pause(pause));
    return Future.succeededFuture();
  }

  /** Holds one, or lets it go on. */
  Future<Void> pause(TopicQueue queue, boolean pause) {
    return ofRead(queue, one -> {
      one.pause(pause);
      return Future.succeededFuture();
    });
  }

  /** As {@link Membership#seek(TopicQueue, long)}. */
  Future<Void> seek(TopicQueue queue, long queueOffset) {
    return ofRead(queue, one -> one.seek(() -> Future.succeededFuture(queueOffset)));
  }

  /** As {@link Membership#seek(TopicQueue, Position)}. */
  Future<Void> seek(TopicQueue queue, Position position) {
    return ofRead(queue, one -> seek(one, position));
  }

  /** As {@link Membership#seek(String, Position)}. */
  Future<Void> seek(String topic, Position position) {
    return share(topic)
        .map(share -> together(share.readers().stream().filter(queue -> !queue.isLeaving()).map(queue -> seek(queue, position)).toList()))
        .orElseGet(() -> Future.failedFuture(MetaqException.of(
            MetaqException.Reason.INVALID, "topic '" + topic + "' has no subscriber in group '" + group + "'")));
  }

  private Future<Void> seek(HeldQueue queue, Position position) {
    return queue.seek(() -> parts.offsets().of(queue.queue(), position));
  }

  /** Asks for the locks again of those that are read in order. */
  void renewLocks() {
    List<TopicQueue> ordered = stream().filter(HeldQueue::keepsLock).map(HeldQueue::queue).toList();
    long askedNs = parts.home().clock().nanos();
    lease.renew(ordered).forEach(asked -> asked.onSuccess(renewal -> renewal.asked().forEach(queue -> find(queue).ifPresent(one -> {
      if (renewal.held().contains(queue)) {
        one.lockRenewed(askedNs);
      } else {
        one.lockLost("another member has it");
      }
    }))));
  }

  private Optional<HeldQueue> find(TopicQueue queue) {
    return share(queue.topic()).flatMap(share -> share.of(queue));
  }

  private Optional<HeldQueue> read(TopicQueue queue) {
    return find(queue).filter(one -> !one.isLeaving());
  }

  private Future<Void> ofRead(TopicQueue queue, Function<HeldQueue, Future<Void>> rein) {
    return read(queue).map(rein).orElseGet(() -> Future.failedFuture(HeldQueue.notHeld(queue)));
  }

  /** What is done to one may change which there are. */
  private Stream<HeldQueue> stream() {
    return List.copyOf(shares.values()).stream().flatMap(share -> share.readers().stream());
  }
}
