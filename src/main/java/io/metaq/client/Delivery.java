package io.metaq.client;

import io.smallrye.mutiny.Uni;
import java.time.Duration;

/**
 * One message in the hands of a subscriber, to be settled once: {@link #ack} or {@link #nack}. A delivery that is not settled is
 * delivered again after its queue has moved to another member or the subscriber has come back. All Unis are lazy.
 */
public interface Delivery {
  Message message();

  /** The id the producer gave it; the same on every delivery. */
  String messageId();

  /** The queue it was read from: one of the group's retry topic when it was sent back before. */
  TopicQueue queue();

  String broker();

  int queueId();

  long queueOffset();

  /** ms since 1970, by the producer's clock. */
  long bornTimestampMs();

  /** ms since 1970, by the broker's clock. */
  long storeTimestampMs();

  /** How often it was sent back before; with {@link Subscription#ordered} and broadcasting since this client has its queue. */
  int reconsumeTimes();

  /** All that its record tells, as a look-up would give it. */
  FoundMessage found();

  /**
   * Done with it. Completes when the client has noted it; the group's progress goes to the broker within a second, and when the
   * subscriber leaves or the queue moves. A second call changes nothing. Fails with {@code QUEUE_LOST} when the queue is another member's by
   * now, with {@code ALREADY_SETTLED} after a nack.
   */
  Uni<Void> ack();

  /**
   * Sends it back: the broker delivers it again, to any member of the group, after a delay that grows with each time (10 s, 30 s, 1 min to
   * 2 h), and to the dead letters when its {@link Subscription#maxRetries retries} are used up. Completes when the broker has stored it.
   * With {@link Subscription#ordered} and {@link Subscription#broadcasting} it is delivered again by this client, after 1 s.
   *
   * <p>Fails with {@code QUEUE_LOST} and {@code ALREADY_SETTLED} as {@link #ack}; after any other failure it is open as before.
   */
  Uni<Void> nack();

  /**
   * As {@link #nack()}, delivered again after {@code delay}; by a broker, after the next of its delay levels (1 s to 2 h).
   *
   * @param delay a negative one sends it to the dead letters at once, or drops it in a broadcasting group
   */
  Uni<Void> nack(Duration delay);
}
