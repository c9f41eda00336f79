package io.metaq.client;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The messages of one queue that wait for the demand of one subscriber, and a gate that may hold them. */
@OwnedBy("its client's context")
final class Lane {
  private final ArrayDeque<QueuedDelivery> waiting = new ArrayDeque<>();
  private final BooleanSupplier gate;
  private boolean queued;

  /**
   * An empty lane.
   *
   * @param gate whether a message may go now; asked before each
   */
  Lane(BooleanSupplier gate) {
    this.gate = gate;
  }

  /** Puts a message behind those that wait. */
  void add(QueuedDelivery delivery) {
    waiting.add(delivery);
  }

  /** Puts a message in front of those that wait. */
  void addFirst(QueuedDelivery delivery) {
    waiting.addFirst(delivery);
  }

  boolean available() {
    return !waiting.isEmpty() && gate.getAsBoolean();
  }

  /** The next message; call when one is available. */
  QueuedDelivery take() {
    QueuedDelivery next = waiting.poll();
    next.handedOut();
    return next;
  }

  int size() {
    return waiting.size();
  }

  /** Drops what waits, and gives it back. */
  List<QueuedDelivery> clear() {
    List<QueuedDelivery> dropped = List.copyOf(waiting);
    waiting.clear();
    return dropped;
  }

  /** Marks it as queued at its feed; false when it was already. */
  boolean enqueue() {
    boolean first = !queued;
    queued = true;
    return first;
  }

  /** It is its turn at its feed. */
  void dequeue() {
    queued = false;
  }
}
