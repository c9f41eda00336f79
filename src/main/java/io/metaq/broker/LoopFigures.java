package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What one loop has done since its start. One writer, any readers: a count is a plain addition that is published without a fence of
 * its own, so it costs the data path next to nothing.
 */
@OwnedBy("its event loop; read by everyone")
final class LoopFigures {
  private final AtomicLongArray counts = new AtomicLongArray(Figure.values().length);
  private final AtomicLongArray putTimes = new AtomicLongArray(PutTimes.BUCKETS);
  private final AtomicLong longestReadNs = new AtomicLong();
  private final LoopTallies tallies = new LoopTallies();

  /** Counts by topic and group. */
  LoopTallies tallies() {
    return tallies;
  }

  /** Owner: adds to a count. */
  void add(Figure figure, long more) {
    int at = figure.ordinal();
    counts.lazySet(at, counts.getPlain(at) + more);
  }

  /** Owner: so many messages were with the writer for so long. */
  void putsTook(long nanos, int messages) {
    int bucket = PutTimes.bucket(nanos / 1_000);
    putTimes.lazySet(bucket, putTimes.getPlain(bucket) + messages);
  }

  /** Owner: messages were looked for, and it took so long. */
  void readTook(long nanos) {
    if (nanos > longestReadNs.getPlain()) {
      longestReadNs.lazySet(nanos);
    }
  }

  long longestReadNs() {
    return longestReadNs.get();
  }

  long get(Figure figure) {
    return counts.get(figure.ordinal());
  }

  void addPutTimesTo(long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += putTimes.get(i);
    }
  }
}
