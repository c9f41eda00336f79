package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.Position;
import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Flow;

/** The streams that private readers of this process share, by topic and filter. */
@OwnedBy("BridgeVerticle")
final class TopicStreams {
  /** Of all of them together, what they keep for readers that are slower than others. */
  private static final long ALL_KEPT_BYTES = 8 << 20;
  /** So much each may keep, however many there are: who waits for the network for a moment is not to fall off. */
  private static final long LEAST_KEPT_BYTES = 16 << 10;
  /** While there are no more, a stream keeps what its only reader has passed, for those who may join. */
  private static final int FEW = 64;

  private final Source source;
  private final Map<Key, FollowedTopic> topics = new HashMap<>();
  private int count;

  private record Key(String topic, String filter, boolean bySql) {}

  /** Where streams come from. */
  interface Source {
    /** Reads all queues of a topic from a position on. */
    void read(Wanted wanted, Position from, Flow.Subscriber<Delivery> stream);
  }

  TopicStreams(Source source) {
    this.source = source;
  }

  /**
   * A stream that brings a reader all that is behind its position: one that others read, if there is one, else a new one.
   *
   * @param atEnd whether the position is where the topic ends at this moment
   */
  TopicStream at(Wanted wanted, ReadPosition position, boolean atEnd) {
    Key key = new Key(wanted.topic(), wanted.filter(), wanted.bySql());
    return topics.computeIfAbsent(key, same -> new FollowedTopic(this, wanted, () -> topics.remove(key))).at(position, atEnd);
  }

  void read(Wanted wanted, Position from, Flow.Subscriber<Delivery> stream) {
    source.read(wanted, from, stream);
  }

  void begun() {
    count++;
  }

  void ended() {
    count--;
  }

  /** What one stream may keep now. */
  long mostKeptBytes(int readers) {
    return readers == 1 && count > FEW ? 0 : Math.max(LEAST_KEPT_BYTES, ALL_KEPT_BYTES / Math.max(1, count));
  }

  /** Streams that are read. */
  int count() {
    return count;
  }
}
