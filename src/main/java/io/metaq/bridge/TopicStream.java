package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Flow;

/**
 * One reading of a topic for all private readers that are in about the same place: a thousand pages that show the same topic cost the broker
 * one reader, and a message is made JSON once. It is read at the pace of its fastest reader. What came last is kept for the slower; who is
 * further behind than that falls off, and goes on with another stream when it has room again.
 */
@OwnedBy("BridgeVerticle")
final class TopicStream implements Flow.Subscriber<Delivery> {
  static final int MOST_KEPT = 128;

  private final FollowedTopic followed;
  private final boolean beganAtEnd;
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
  private boolean started;
  /** Messages on their way, or still to be requested. */
  private long asked;
  private long unrequested;
  /** While readers are told of a message; who falls off then goes on after that. */
  private boolean telling;
  private final List<PrivateReading> fallen = new ArrayList<>();
  private boolean over;

  /**
   * @param position of a reader that was where the stream is, behind the message; as a text
   * @param anew whether the stream had been behind it before, as in a topic that was deleted and made again
   */
  record Kept(MessageText message, TopicQueue queue, String position, boolean anew) {
    long queueOffset() {
      return message.found().queueOffset();
    }

    /** The position of a topic of many queues is longer than most messages. */
    long bytes() {
      return message.bytes() + position.length();
    }
  }

  /** @param atEnd whether the topic ends there now */
  TopicStream(FollowedTopic followed, ReadPosition begin, boolean atEnd) {
    this.followed = followed;
    this.from = begin.copy();
    this.to = begin.copy();
    this.beganAtEnd = atEnd;
  }

  /** Whether a reader that is there would miss nothing here. */
  boolean covers(ReadPosition position) {
    return !over && position.reached(from);
  }

  /** Messages that it is ahead of a position; negative when it is behind. */
  long lead(ReadPosition position) {
    return to.sum() - position.sum();
  }

  /**
   * Whether it waits for what comes next, as far as can be told: where a filter passes little, its position is where it passed something,
   * though it is further.
   */
  boolean isAtEnd() {
    return beganAtEnd && asked > 0;
  }

  /** As {@link FollowedTopic#better}. */
  Optional<TopicStream> better(ReadPosition position) {
    return followed.better(this, position);
  }

  /** @return the number of the first message for it to look at */
  long join(PrivateReading reader) {
    readers.add(reader);
    return first;
  }

  /** It ends with its last reader. */
  void leave(PrivateReading reader) {
    readers.remove(reader);
    if (!readers.isEmpty()) {
      request();
    } else if (!over) {
      over = true;
      followed.ended(this);
      if (flow != null) {
        flow.cancel();
      }
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

  /**
   * Asks for more on behalf of a reader that has passed everything here; in batches. {@link #request} follows.
   *
   * @param free how many it would take
   * @return the number before which all is on its way to that reader and has to be taken; 0 when others have asked for enough
   */
  long ask(long free) {
    if (asked > free / 2) {
      return 0;
    }
    unrequested += free - asked;
    asked = free;
    return next + free;
  }

  /** Gets what was asked for, of which some may come during this call. */
  void request() {
    if (telling || over || unrequested == 0) {
      return;
    }
    if (flow != null) {
      long more = unrequested;
      unrequested = 0;
      flow.request(more);
    } else if (!started) {
      started = true;
      followed.read(to, this);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    flow = subscription;
    if (over) {
      flow.cancel();
    } else {
      request();
    }
  }

  @Override
  public void onNext(Delivery delivery) {
    if (over) {
      return;
    }
    telling = true;
    asked--;
    keep(new MessageText(delivery.found()));
    // Some may leave while they are told, be it that their connection breaks.
    List.copyOf(readers).forEach(PrivateReading::more);
    while (first < next && keptBytes > followed.mostKeptBytes(readers.size())) {
      forget();
    }
    telling = false;
    List<PrivateReading> off = List.copyOf(fallen);
    fallen.clear();
    off.forEach(PrivateReading::more);
    request();
  }

  private void keep(MessageText message) {
    TopicQueue queue = message.queue();
    long queueOffset = message.found().queueOffset();
    boolean anew = !to.isBefore(queue, queueOffset);
    to.passed(queue, queueOffset);
    if (next - first == MOST_KEPT) {
      forget();
    }
    Kept last = new Kept(message, queue, to.text(), anew);
    kept[(int) (next++ % MOST_KEPT)] = last;
    keptBytes += last.bytes();
  }

  private void forget() {
    List<PrivateReading> falling = readers.stream().filter(reader -> reader.number() == first).toList();
    ReadPosition before = falling.isEmpty() ? from : from.copy();
    int slot = (int) (first++ % MOST_KEPT);
    from.passed(kept[slot].queue, kept[slot].queueOffset());
    keptBytes -= kept[slot].bytes();
    kept[slot] = null;
    falling.forEach(reader -> reader.fallOff(before));
    fallen.addAll(falling);
  }

  @Override
  public void onError(Throwable failure) {
    if (!over) {
      over = true;
      followed.ended(this);
      List.copyOf(readers).forEach(reader -> reader.failed(this, failure));
      readers.clear();
    }
  }

  @Override
  public void onComplete() {
    onError(Fault.UNAVAILABLE.because("the server is stopping"));
  }
}
