package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqClient;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Flow;

/**
 * Reads every queue of a topic for one outlet alone. Its position is in what it sends, and nowhere else. Behind the topic's end it reads by
 * itself; at the end it shares a {@link TopicTail} with all who are there.
 */
@OwnedBy("BridgeVerticle")
final class PrivateReading implements Reading {
  private final MetaqClient client;
  private final TopicTails tails;
  private final Wanted wanted;
  /** Where it is; while it is in step, the tail knows. */
  private ReadPosition position;
  private final Room room;
  private final Outlet outlet;
  /** Where the topic ended when that was last looked at. */
  private Map<TopicQueue, Long> end;
  private boolean lookingForEnd;
  private OwnFlow own;
  private TopicTail tail;
  private long number;
  /** Whether it is where the tail is behind each message, and not further in some queue. */
  private boolean inStep;
  private boolean taking;
  private long handles;
  private boolean stopped;

  private PrivateReading(
      MetaqClient client, TopicTails tails, Wanted wanted, ReadPosition position, Map<TopicQueue, Long> end, Room room, Outlet outlet) {
    this.client = client;
    this.tails = tails;
    this.wanted = wanted;
    this.position = position;
    this.end = end;
    this.room = room;
    this.outlet = outlet;
  }

  /**
   * Begins where the position says, or else where it is wanted from.
   *
   * @return fails when there is no such topic
   */
  static Future<Reading> start(
      MetaqClient client, TopicTails tails, Wanted wanted, Optional<String> position, Room room, Outlet outlet) {
    Optional<ReadPosition> resumed = position.map(text -> ReadPosition.parse(wanted.topic(), text));
    return Unis.future(client.offsets(wanted.topic(), Position.LATEST)).compose(end -> begin(client, wanted, resumed, end).map(begin -> {
      PrivateReading reading = new PrivateReading(client, tails, wanted, begin, end, room, outlet);
      reading.share(reading.isNearEnd());
      return reading;
    }));
  }

  private static Future<ReadPosition> begin(
      MetaqClient client, Wanted wanted, Optional<ReadPosition> resumed, Map<TopicQueue, Long> end) {
    if (resumed.isPresent()) {
      return Future.succeededFuture(resumed.get().within(end));
    }
    Future<Map<TopicQueue, Long>> from = wanted.from().equals(Position.LATEST)
        ? Future.succeededFuture(end) : Unis.future(client.offsets(wanted.topic(), wanted.from()));
    return from.map(offsets -> ReadPosition.of(wanted.topic(), offsets));
  }

  /** The reading of its own, while it is behind. */
  @OwnedBy("BridgeVerticle")
  private final class OwnFlow implements Flow.Subscriber<Delivery> {
    private Flow.Subscription flow;
    private long asked;

    void more() {
      long free = room.free() - asked;
      if (free > 0 && flow != null) {
        asked += free;
        flow.request(free);
      }
    }

    void cancel() {
      if (flow != null) {
        flow.cancel();
      }
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      flow = subscription;
      if (own == this && !stopped) {
        more();
      } else {
        cancel();
      }
    }

    @Override
    public void onNext(Delivery delivery) {
      asked--;
      if (own == this && !stopped) {
        MessageText message = new MessageText(delivery.found());
        position.passed(message.queue(), delivery.found().queueOffset());
        write(message, position.text());
        if (!share(false) && position.reached(end)) {
          lookForTheEnd();
        }
      }
    }

    @Override
    public void onError(Throwable failure) {
      if (own == this) {
        failed(failure);
      }
    }

    @Override
    public void onComplete() {
      onError(Fault.UNAVAILABLE.because("the server is stopping"));
    }
  }

  private boolean isNearEnd() {
    return position.distance(end) <= TopicTail.MOST_KEPT;
  }

  /**
   * Joins the tail, if there is one that has all it lacks.
   *
   * @param atEnd whether one may begin here
   * @return false while it has to read by itself
   */
  private boolean share(boolean atEnd) {
    Optional<TopicTail> there = stopped ? Optional.empty() : tails.at(wanted, position, atEnd);
    if (there.isEmpty()) {
      return false;
    }
    leaveOwn();
    tail = there.get();
    number = tail.join(this);
    inStep = false;
    take();
    return true;
  }

  /**
   * The topic may have grown meanwhile. A tail that began far before its end would keep those waiting who join it there, so
   * it begins only where the rest is no more than it keeps.
   */
  private void lookForTheEnd() {
    if (lookingForEnd || stopped) {
      return;
    }
    lookingForEnd = true;
    Unis.future(client.offsets(wanted.topic(), Position.LATEST)).onComplete(found -> {
      lookingForEnd = false;
      if (found.succeeded() && own != null) {
        end = found.result();
        share(isNearEnd());
      }
    });
  }

  private void leaveOwn() {
    if (own != null) {
      OwnFlow left = own;
      own = null;
      left.cancel();
    }
  }

  /** The number in the tail of what it looks at next. */
  long number() {
    return number;
  }

  /** The tail has something new. */
  void come() {
    take();
  }

  /**
   * The tail forgets what this reader has not passed yet.
   *
   * @param here where the tail was before that
   * @param ahead where the tail is
   */
  void fallBehind(ReadPosition here, ReadPosition ahead) {
    if (tail != null) {
      position = inStep ? here.copy() : position;
      end = ahead.offsets();
      TopicTail left = tail;
      tail = null;
      left.leave(this);
      more();
    }
  }

  /** What is in the tail and not passed yet, as far as there is room. */
  private void take() {
    if (taking) {
      return;
    }
    taking = true;
    while (tail != null && number < tail.next() && room.free() > 0) {
      TopicTail.Kept kept = tail.get(number++);
      if (inStep) {
        write(kept.message(), kept.position());
      } else if (position.isBefore(kept.queue(), kept.queueOffset())) {
        position.passed(kept.queue(), kept.queueOffset());
        write(kept.message(), position.text());
      }
    }
    if (tail != null && !inStep && number == tail.next()) {
      inStep = position.equals(tail.position());
    }
    taking = false;
  }

  private void write(MessageText message, String at) {
    Item item = new Item(message, Long.toString(++handles), at);
    room.writing(item.bytes());
    outlet.message(item).onComplete(written -> {
      room.written(item.bytes());
      more();
    });
  }

  @Override
  public void more() {
    if (stopped) {
      return;
    }
    if (tail != null) {
      take();
    } else if (own != null) {
      own.more();
    } else if (room.free() > 0) {
      own = new OwnFlow();
      client.subscribe(wanted.subscription(Position.at(position.offsets()))).subscribe().withSubscriber(own);
    }
  }

  void failed(Throwable cause) {
    stopped = true;
    tail = null;
    outlet.failed(cause);
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    leaveOwn();
    if (tail != null) {
      TopicTail left = tail;
      tail = null;
      left.leave(this);
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> acknowledge(String handle) {
    return nothingToSettle();
  }

  @Override
  public Future<Void> sendBack(String handle, Optional<Duration> delay) {
    return nothingToSettle();
  }

  private static Future<Void> nothingToSettle() {
    return Future.failedFuture(Fault.CONFLICT.because("only a member of a group with ack=manual settles messages"));
  }

  @Override
  public String position() {
    return position.text();
  }
}
