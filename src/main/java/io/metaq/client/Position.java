package io.metaq.client;

import java.time.Instant;
import java.util.Map;

/** Where reading begins in a queue for which the group has no stored progress. */
public sealed interface Position {
  /** At the oldest message that is kept. */
  Position EARLIEST = new Earliest();

  /**
   * At the end: what is sent after the subscription began. A queue or topic that appears later is read from its first message, which is
   * all of it.
   */
  Position LATEST = new Latest();

  /** At the first message stored at {@code time} or later. */
  static Position at(Instant time) {
    return new At(time.toEpochMilli());
  }

  /** At an offset of its own in each queue; a queue that is not named is read from its first message. */
  static Position at(Map<TopicQueue, Long> queueOffsets) {
    return new Offsets(queueOffsets, EARLIEST);
  }

  /** Case of {@link #EARLIEST}. */
  record Earliest() implements Position {}

  /** Case of {@link #LATEST}. */
  record Latest() implements Position {}

  /**
   * Case of {@link #at}.
   *
   * @param timestampMs store time, ms since 1970
   */
  record At(long timestampMs) implements Position {}

  /**
   * Case of {@link #at(Map)}.
   *
   * @param others where reading begins in a queue that is not named
   */
  record Offsets(Map<TopicQueue, Long> byQueue, Position others) implements Position {
    public Offsets {
      byQueue = Map.copyOf(byQueue);
    }
  }
}
