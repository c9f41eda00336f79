package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Reads every queue of a topic for one outlet alone. Its position is in what it sends, and nowhere else. It is on a {@link TopicStream} that
 * others may share, or on none while it has no room and nothing waits for it.
 */
@OwnedBy("BridgeVerticle")
final class PrivateReading implements Reading {
  private final TopicStreams streams;
  private final Wanted wanted;
  private final Room room;
  private final Outlet outlet;
  /** Where it is; while it is in step, its stream knows. */
  private ReadPosition position;
  /** That as a text, as of the last message. */
  private String text;
  /** Whether the topic ended there a moment ago. */
  private boolean atEnd;
  private TopicStream stream;
  /** In the stream, of what it looks at next. */
  private long number;
  /** What the stream has before that number was asked for on its behalf, so it is taken whatever its size. */
  private long awaited;
  /** Whether it is where the stream is behind each message, and not further in some queue. */
  private boolean inStep;
  private boolean taking;
  private long handles;
  private boolean stopped;

  /** @param atEnd whether the topic ends at the position now, or nearly */
  PrivateReading(TopicStreams streams, Wanted wanted, ReadPosition position, boolean atEnd, Room room, Outlet outlet) {
    this.streams = streams;
    this.wanted = wanted;
    this.position = position;
    this.text = position.text();
    this.atEnd = atEnd;
    this.room = room;
    this.outlet = outlet;
  }

  /**
   * Begins where the position says, or else where it is wanted from.
   *
   * @return fails when there is no such topic
   */
  static Future<Reading> start(
      MetaqClient client, TopicStreams streams, Wanted wanted, Optional<String> position, Room room, Outlet outlet) {
    Optional<ReadPosition> resumed = position.map(text -> ReadPosition.parse(wanted.topic(), text));
    boolean fromEnd = resumed.isPresent() || wanted.from().equals(Position.LATEST);
    return Unis.future(client.offsets(wanted.topic(), fromEnd ? Position.LATEST : wanted.from())).map(found -> {
      ReadPosition begin = resumed.map(there -> there.within(found)).orElseGet(() -> ReadPosition.of(wanted.topic(), found));
      return new PrivateReading(streams, wanted, begin, fromEnd && isNear(begin, found), room, outlet);
    });
  }

  private static boolean isNear(ReadPosition position, Map<TopicQueue, Long> end) {
    return position.distance(end) <= TopicStream.MOST_KEPT;
  }

  /** There may be room again, or something new in the stream. */
  @Override
  public void more() {
    if (stream == null && !stopped && room.free() > 0) {
      join(streams.at(wanted, position, atEnd));
    }
    atEnd = false;
    take();
  }

  private void join(TopicStream other) {
    stream = other;
    number = other.join(this);
    awaited = 0;
    inStep = false;
  }

  /** What is in the stream and not passed yet, as far as there is room; asks for more behind that. */
  private void take() {
    if (taking) {
      return;
    }
    taking = true;
    boolean goesOn = true;
    while (stream != null && goesOn) {
      goesOn = number < stream.next() ? takeNext() : passOn();
    }
    taking = false;
    if (stream != null) {
      stream.request();
    }
  }

  /** @return false when there is no room for it */
  private boolean takeNext() {
    boolean fits = number < awaited || room.free() > 0;
    if (fits) {
      pass(stream.get(number++));
    }
    return fits;
  }

  private void pass(TopicStream.Kept kept) {
    if (inStep) {
      write(kept.message(), kept.position());
    } else if (kept.anew() || position.isBefore(kept.queue(), kept.queueOffset())) {
      position.passed(kept.queue(), kept.queueOffset());
      write(kept.message(), position.text());
    }
  }

  /**
   * It has passed everything in its stream.
   *
   * @return false when it stays there, and waits for more if it has room
   */
  private boolean passOn() {
    inStep = inStep || position.equals(stream.position());
    long free = room.free();
    if (free == 0) {
      return false;
    }
    Optional<TopicStream> better = stream.better(inStep ? stream.position() : position);
    if (better.isEmpty()) {
      awaited = Math.max(awaited, stream.ask(free));
      return false;
    }
    leave(stream.position());
    join(better.get());
    return true;
  }

  /** @param here where the stream is that it is in step with */
  private void leave(ReadPosition here) {
    position = inStep ? here.copy() : position;
    TopicStream left = stream;
    stream = null;
    left.leave(this);
  }

  /** The number in the stream of what it looks at next. */
  long number() {
    return number;
  }

  /**
   * The stream has forgotten what this reader has not passed yet; {@link #more} follows.
   *
   * @param before where the stream was before that
   */
  void fallOff(ReadPosition before) {
    leave(before);
  }

  private void write(MessageText message, String at) {
    text = at;
    Item item = new Item(message, Long.toString(++handles), at);
    room.writing(item.bytes());
    outlet.message(item).onComplete(written -> {
      room.written(item.bytes());
      more();
    });
  }

  /** A stream cannot be read. */
  void failed(TopicStream failed, Throwable cause) {
    if (stream == failed) {
      stopped = true;
      stream = null;
      outlet.failed(cause);
    }
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    if (stream != null) {
      leave(stream.position());
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
    return text;
  }
}
