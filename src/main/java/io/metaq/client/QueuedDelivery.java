package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.time.Duration;

/** {@link Delivery} of a {@link QueueReader}; settled once, while the reader still has its queue. */
@OwnedBy("its client's context")
final class QueuedDelivery implements Delivery {
  private final Home home;
  private final QueueReader reader;
  private final Received received;
  private final Unsettled.Slot slot;
  private final Settlement settlement;
  private State state = State.OPEN;

  private enum State {
    OPEN,
    SENDING_BACK,
    SENT_BACK,
    ACKNOWLEDGED
  }

  /** Takes note of the message at its reader. */
  QueuedDelivery(Home home, QueueReader reader, Received received, Settlement settlement) {
    this.home = home;
    this.reader = reader;
    this.received = received;
    this.slot = reader.taken(received);
    this.settlement = settlement;
  }

  boolean isOf(QueueReader other) {
    return reader == other;
  }

  /** It went to the subscriber. */
  void handedOver() {
    reader.handedOver(received.stored().size());
  }

  /** Nobody will settle it: it holds nothing up. */
  void untrack() {
    reader.settle(slot);
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
    return received.stored().reconsumeTimes();
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
    return home.uni(() -> sendBack(SendBackLevels.BY_BROKER));
  }

  @Override
  public Uni<Void> nack(Duration delay) {
    return home.uni(() -> sendBack(SendBackLevels.atLeast(delay)));
  }

  private Future<Void> acknowledge() {
    return switch (state) {
      case ACKNOWLEDGED -> Future.succeededFuture();
      case SENDING_BACK, SENT_BACK -> alreadySettled("sent back");
      case OPEN -> {
        if (reader.stopped()) {
          yield queueLost();
        }
        state = State.ACKNOWLEDGED;
        reader.settle(slot);
        yield Future.succeededFuture();
      }
    };
  }

  /** As {@link #nack}, with the broker's own number for the delay. Call from the client's context. */
  Future<Void> sendBack(int delayLevel) {
    return switch (state) {
      case ACKNOWLEDGED -> alreadySettled("acknowledged");
      case SENDING_BACK, SENT_BACK -> alreadySettled("sent back");
      case OPEN -> {
        if (reader.stopped()) {
          yield queueLost();
        }
        state = State.SENDING_BACK;
        yield settlement
            .sendBack(reader.queue(), received, delayLevel)
            .onComplete(
                done -> {
                  state = done.succeeded() ? State.SENT_BACK : State.OPEN;
                  if (done.succeeded()) {
                    reader.settle(slot);
                  }
                });
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
