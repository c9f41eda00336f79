package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.FoundMessage;
import io.metaq.client.Message;
import io.metaq.client.TopicQueue;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Optional;

/** A message in hand whose broker does as the test says. */
final class HandDelivery implements Delivery {
  static final String TOPIC = "T";

  private final FoundMessage found;
  private volatile int failures;
  private volatile boolean silent;
  private volatile int nacks;
  private volatile boolean sentBack;

  HandDelivery() {
    this(0, 7, Message.to(TOPIC).body("x"));
  }

  HandDelivery(int queueId, long queueOffset, Message message) {
    found = new FoundMessage(
        message, "id", "place", "b", queueId, queueOffset, 0, 0, "127.0.0.1:1", 0, "127.0.0.1:2", 0, Optional.empty());
  }

  /** So many calls fail; those that follow do not. */
  void failNacks(int times) {
    failures = times;
  }

  void answerNothing() {
    silent = true;
  }

  int nacks() {
    return nacks;
  }

  boolean sentBack() {
    return sentBack;
  }

  @Override
  public Uni<Void> nack(Duration delay) {
    return Uni.createFrom().deferred(() -> {
      nacks = nacks + 1;
      if (silent) {
        return Uni.createFrom().nothing();
      }
      if (nacks <= failures) {
        return Uni.createFrom().failure(new IllegalStateException("the broker is away"));
      }
      sentBack = true;
      return Uni.createFrom().voidItem();
    });
  }

  @Override
  public Uni<Void> nack() {
    return nack(Duration.ofSeconds(10));
  }

  @Override
  public Uni<Void> ack() {
    return Uni.createFrom().voidItem();
  }

  @Override
  public FoundMessage found() {
    return found;
  }

  @Override
  public Message message() {
    return found.message();
  }

  @Override
  public String messageId() {
    return found.messageId();
  }

  @Override
  public TopicQueue queue() {
    return new TopicQueue(TOPIC, broker(), queueId());
  }

  @Override
  public String broker() {
    return found.broker();
  }

  @Override
  public int queueId() {
    return found.queueId();
  }

  @Override
  public long queueOffset() {
    return found.queueOffset();
  }

  @Override
  public long bornTimestampMs() {
    return found.bornTimestampMs();
  }

  @Override
  public long storeTimestampMs() {
    return found.storeTimestampMs();
  }

  @Override
  public int reconsumeTimes() {
    return found.reconsumeTimes();
  }
}
