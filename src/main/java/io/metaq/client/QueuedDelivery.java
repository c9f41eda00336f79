package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/** {@link Delivery} of a {@link QueueReader}; settled once, while the reader still has its queue. */
@OwnedBy("its client's context")
final class QueuedDelivery implements Delivery {
  /** Beyond what any broker or timer waits, and short enough to be told in milliseconds. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(365);

  private final Home home;
  private final QueueReader reader;
  private final Unsettled.Slot slot;
  private final Received received;
  private final Settlement settlement;
  private final int redeliveries;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    SENDING_BACK,
    SENT_BACK,
    ACKNOWLEDGED,
    LOST
  }

  /** The first delivery of a message. */
  QueuedDelivery(Home home, QueueReader reader, Unsettled.Slot slot, Received received, Settlement settlement) {
    this(home, reader, slot, received, settlement, 0);
  }

  private QueuedDelivery(
      Home home, QueueReader reader, Unsettled.Slot slot, Received received, Settlement settlement, int redeliveries) {
    this.home = home;
    this.reader = reader;
    this.slot = slot;
    this.received = received;
    this.settlement = settlement;
    this.redeliveries = redeliveries;
  }

  /** The same message for another delivery by this client, which counts as one more. */
  QueuedDelivery again() {
    return new QueuedDelivery(home, reader, slot, received, settlement, redeliveries + 1);
  }

  /** It goes to the subscriber. */
  void handedOut() {
    reader.handedOut(slot, redeliveries == 0 ? received.stored().size() : 0);
    settlement.handedOut(this);
  }

  /** Its subscriber is gone and can settle it no more; false when it was settled before, or is being so. */
  boolean lose() {
    boolean open = state == State.OPEN;
    state = open ? State.LOST : state;
    return open;
  }

  /** Whether nobody waits for it any more. */
  boolean isLost() {
    return reader.stopped();
  }

  QueueReader reader() {
    return reader;
  }

  Unsettled.Slot slot() {
    return slot;
  }

  Received received() {
    return received;
  }

  /** Done with, whatever became of it: it holds nothing up. */
  void settle() {
    reader.settle(slot);
  }

  /** The subscriber gave it back. */
  void takenBack() {
    reader.takenBack(slot);
  }

  @Override
  public Message message() {
    return received.message();
  }

  @Override
  public String messageId() {
    return received.messageId();
  }

  @Override
  public TopicQueue queue() {
    return reader.queue();
  }

  @Override
  public String broker() {
    return reader.queue().broker();
  }

  @Override
  public int queueId() {
    return received.stored().queueId();
  }

  @Override
  public long queueOffset() {
    return received.stored().queueOffset();
  }

  @Override
  public long bornTimestampMs() {
    return received.stored().bornTimestamp();
  }

  @Override
  public long storeTimestampMs() {
    return received.stored().storeTimestamp();
  }

  @Override
  public int reconsumeTimes() {
    return received.stored().reconsumeTimes() + redeliveries;
  }

  @Override
  public FoundMessage found() {
    return FoundMessage.of(broker(), received);
  }

  @Override
  public Uni<Void> ack() {
    return home.uni(this::acknowledge);
  }

  @Override
  public Uni<Void> nack() {
    return home.uni(() -> sendBack(Optional.empty()));
  }

  @Override
  public Uni<Void> nack(Duration delay) {
    Duration possible = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
    return home.uni(() -> sendBack(Optional.of(possible)));
  }

  private Future<Void> acknowledge() {
    return switch (state) {
      case ACKNOWLEDGED -> Future.succeededFuture();
      case SENDING_BACK, SENT_BACK -> alreadySettled("sent back");
      case LOST -> queueLost();
      case OPEN -> {
        if (reader.stopped()) {
          yield queueLost();
        }
        state = State.ACKNOWLEDGED;
        settlement.acknowledged(this);
        yield Future.succeededFuture();
      }
    };
  }

  /** As {@link #nack}. Call from the client's context. */
  Future<Void> sendBack(Optional<Duration> delay) {
    return switch (state) {
      case ACKNOWLEDGED -> alreadySettled("acknowledged");
      case SENDING_BACK, SENT_BACK -> alreadySettled("sent back");
      case LOST -> queueLost();
      case OPEN -> {
        if (reader.stopped()) {
          yield queueLost();
        }
        state = State.SENDING_BACK;
        yield settlement.sentBack(this, delay).onComplete(done -> state = done.succeeded() ? State.SENT_BACK : State.OPEN);
      }
    };
  }

  private Future<Void> alreadySettled(String how) {
    return Future.failedFuture(
        MetaqException.of(MetaqException.Reason.ALREADY_SETTLED, "message " + messageId() + " was " + how + " before"));
  }

  private Future<Void> queueLost() {
    return Future.failedFuture(
        MetaqException.of(
            MetaqException.Reason.QUEUE_LOST,
            "message " + messageId() + " cannot be settled: " + reader.queue() + " is not read here any more"));
  }

  @Override
  public String toString() {
    return "Delivery of " + received.message() + " from " + reader.queue() + " at " + queueOffset();
  }
}
