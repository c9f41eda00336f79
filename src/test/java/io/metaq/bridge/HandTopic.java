package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.Message;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.random.RandomGenerator;

/**
 * A topic in memory. It gives a stream what that has asked for when the test says so, or at once. The filter {@code some}
 * lets every fifth message pass, any other fewer.
 */
final class HandTopic implements TopicStreams.Source {
  static final int RARELY = 20_000;

  private static final int OFTEN = 5;

  private final RandomGenerator random;
  private final long[] ends;
  private final List<Reader> readers = new ArrayList<>();
  private final Message message;
  private boolean atOnce;
  private int begun;

  HandTopic(int queues, int bodyBytes, RandomGenerator random) {
    this.ends = new long[queues];
    this.message = Message.to(HandDelivery.TOPIC).body("x".repeat(bodyBytes));
    this.random = random;
  }

  /** Whether it gives what is asked for during the call that asks. */
  void giveAtOnce(boolean yes) {
    atOnce = yes;
  }

  void beginAnew(int queueId) {
    ends[queueId] = 0;
    readers.forEach(reader -> reader.beginAnew(queueId));
  }

  void append(int queueId) {
    ends[queueId]++;
  }

  void appendAnywhere(int count) {
    for (int i = 0; i < count; i++) {
      append(random.nextInt(ends.length));
    }
  }

  long end(int queueId) {
    return ends[queueId];
  }

  ReadPosition endPosition() {
    Map<TopicQueue, Long> offsets = new HashMap<>();
    for (int queueId = 0; queueId < ends.length; queueId++) {
      offsets.put(queue(queueId), ends[queueId]);
    }
    return ReadPosition.of(HandDelivery.TOPIC, offsets);
  }

  static TopicQueue queue(int queueId) {
    return new TopicQueue(HandDelivery.TOPIC, "b", queueId);
  }

  static boolean passes(Wanted wanted, long queueOffset) {
    return wanted.takesAll() || queueOffset % (wanted.filter().equals("some") ? OFTEN : RARELY) == 0;
  }

  /** Streams that are read. */
  int open() {
    return readers.size();
  }

  /** Streams that ever began. */
  int begun() {
    return begun;
  }

  List<Reader> readers() {
    return List.copyOf(readers);
  }

  /** Gives every stream all it has asked for, until none gets anything. */
  void giveAll() {
    boolean given = true;
    while (given) {
      given = false;
      for (Reader reader : readers()) {
        given |= reader.give();
      }
    }
  }

  @Override
  public void read(Wanted wanted, Position from, Flow.Subscriber<Delivery> stream) {
    Reader reader = new Reader(wanted, ((Position.Offsets) from).byQueue(), stream);
    readers.add(reader);
    begun++;
    stream.onSubscribe(reader);
  }

  /** One stream. */
  final class Reader implements Flow.Subscription {
    private final Wanted wanted;
    private final long[] next = new long[ends.length];
    private final Flow.Subscriber<Delivery> stream;
    private long demand;
    private boolean giving;
    private boolean over;

    Reader(Wanted wanted, Map<TopicQueue, Long> from, Flow.Subscriber<Delivery> stream) {
      this.wanted = wanted;
      this.stream = stream;
      for (int queueId = 0; queueId < next.length; queueId++) {
        next[queueId] = from.getOrDefault(queue(queueId), 0L);
      }
    }

    long demand() {
      return demand;
    }

    /** The next message of some queue, if there is one and it was asked for. */
    boolean give() {
      int first = random.nextInt(next.length);
      for (int i = 0; i < next.length; i++) {
        int queueId = (first + i) % next.length;
        while (next[queueId] < ends[queueId] && !passes(wanted, next[queueId])) {
          next[queueId]++;
        }
        if (demand > 0 && !over && next[queueId] < ends[queueId]) {
          demand--;
          giving = true;
          stream.onNext(new HandDelivery(queueId, next[queueId]++, message));
          giving = false;
          return true;
        }
      }
      return false;
    }

    /** The queue begins anew, as in a topic that was deleted and made again. */
    void beginAnew(int queueId) {
      next[queueId] = 0;
    }

    void fail(Throwable failure) {
      over = true;
      readers.remove(this);
      stream.onError(failure);
    }

    @Override
    public void request(long n) {
      if (n < 1) {
        throw new IllegalArgumentException("asked for " + n);
      }
      demand += n;
      while (atOnce && !giving && give()) {
        // all of it
      }
    }

    @Override
    public void cancel() {
      over = true;
      readers.remove(this);
    }
  }
}
