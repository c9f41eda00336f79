package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqClient;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Flow;

/**
 * One reading of a topic for all private readers that keep up with it: a thousand pages that show the same topic cost the broker one reader,
 * and a message is made JSON once. It waits for none of them. What came last is kept, so much that who stumbles finds it here; who
 * falls behind that reads by itself until it has caught up.
 */
@OwnedBy("BridgeVerticle")
final class TopicTail implements Flow.Subscriber<Delivery> {
  static final int MOST_KEPT = 128;

  private static final long MOST_KEPT_BYTES = 256 << 10;
  private static final long ASKED = 64;

  private final Runnable onEnd;
  /** Before the first that is kept. */
  private final ReadPosition from;
  /** Behind the last. */
  private final ReadPosition to;
  private final Kept[] kept = new Kept[MOST_KEPT];
  /** Numbers of what is kept: from here on, and before there. */
  private long first;
  private long next;
  private long keptBytes;
  private final Set<PrivateReading> readers = new LinkedHashSet<>();
  private Flow.Subscription flow;
  private long asked;
  private boolean over;

  /** @param position of a reader that was where the tail is, behind the message; as a text */
  record Kept(MessageText message, TopicQueue queue, String position) {
    long queueOffset() {
      return message.found().queueOffset();
    }
  }

  /** @param onEnd called when nobody reads it any more, and when it cannot be read */
  TopicTail(ReadPosition begin, Runnable onEnd) {
    this.from = begin.copy();
    this.to = begin.copy();
    this.onEnd = onEnd;
  }

  void start(MetaqClient client, Wanted wanted) {
    client.subscribe(wanted.subscription(Position.at(to.offsets()))).subscribe().withSubscriber(this);
  }

  /** Whether a reader that is there would miss nothing here. */
  boolean covers(ReadPosition position) {
    return !over && position.reached(from.offsets());
  }

  /** @return the number of the first message for it to look at */
  long join(PrivateReading reader) {
    readers.add(reader);
    return first;
  }

  void leave(PrivateReading reader) {
    if (readers.remove(reader) && readers.isEmpty()) {
      end();
    }
  }

  private void end() {
    if (!over) {
      over = true;
      if (flow != null) {
        flow.cancel();
      }
      onEnd.run();
    }
  }

  /** The number that the next message will have. */
  long next() {
    return next;
  }

  Kept get(long number) {
    return kept[(int) (number % MOST_KEPT)];
  }

  /** Where it is; goes on. */
  ReadPosition position() {
    return to;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    flow = subscription;
    if (over) {
      flow.cancel();
    } else {
      asked = ASKED;
      flow.request(ASKED);
    }
  }

  @Override
  public void onNext(Delivery delivery) {
    if (over) {
      return;
    }
    keep(new MessageText(delivery.found()));
    // Some may leave while they are told, be it that their connection breaks.
    List.copyOf(readers).forEach(PrivateReading::come);
    if (--asked <= ASKED / 2 && !over) {
      asked += ASKED / 2;
      flow.request(ASKED / 2);
    }
  }

  private void keep(MessageText message) {
    TopicQueue queue = message.queue();
    to.passed(queue, message.found().queueOffset());
    if (next - first == MOST_KEPT) {
      forget();
    }
    kept[(int) (next++ % MOST_KEPT)] = new Kept(message, queue, to.text());
    keptBytes += message.bytes();
    while (keptBytes > MOST_KEPT_BYTES && next - first > 1) {
      forget();
    }
  }

  private void forget() {
    for (PrivateReading reader : List.copyOf(readers)) {
      if (reader.number() == first) {
        reader.fallBehind(from, to);
      }
    }
    int slot = (int) (first++ % MOST_KEPT);
    from.passed(kept[slot].queue, kept[slot].queueOffset());
    keptBytes -= kept[slot].message.bytes();
    kept[slot] = null;
  }

  @Override
  public void onError(Throwable failure) {
    over = true;
    onEnd.run();
    List.copyOf(readers).forEach(reader -> reader.failed(failure));
    readers.clear();
  }

  @Override
  public void onComplete() {
    onError(Fault.UNAVAILABLE.because("the server is stopping"));
  }
}
