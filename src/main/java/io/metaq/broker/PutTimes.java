package io.metaq.broker;

/**
 * How long messages took from the loop to the log and back, in buckets that grow by a quarter of a power of two: a time is known to
 * about a fifth, from a microsecond to minutes.
 */
final class PutTimes {
  static final int BUCKETS = 128;

  private static final int STEPS = 4;
  private static final String[] WORDS = {
      "<=0ms", "0~10ms", "10~50ms", "50~100ms", "100~200ms", "200~500ms", "500ms~1s", "1~2s", "2~3s", "3~4s", "4~5s", "5~10s", "10s~"};
  private static final long[] LIMITS_MS = {1, 10, 50, 100, 200, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 10_000, Long.MAX_VALUE};

  private final long[] counts;

  PutTimes(long[] counts) {
    this.counts = counts.clone();
  }

  /** The bucket of a time. */
  static int bucket(long micros) {
    if (micros < STEPS) {
      return (int) Math.max(0, micros);
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
    int quarter = (int) (micros >>> exponent - 2) & STEPS - 1;
    return Math.min(BUCKETS - 1, (exponent - 1) * STEPS + quarter);
  }

  /** The first time of a bucket. */
  static long startMicros(int bucket) {
    return bucket < STEPS ? bucket : (long) (STEPS + bucket % STEPS) << bucket / STEPS - 1;
  }

  /** A time that the given share of the messages did not exceed, to the end of its bucket; 0 when there were none. */
  long percentileMicros(double share) {
    long wanted = (long) Math.ceil(total() * share);
    long seen = 0;
    for (int bucket = 0; bucket < counts.length; bucket++) {
      seen += counts[bucket];
      if (seen >= wanted && seen > 0) {
        return startMicros(bucket + 1);
      }
    }
    return 0;
  }

  /** In RocketMQ's form: {@code [<=0ms]:12 [0~10ms]:3 ...}. */
  String words() {
    long[] sums = new long[WORDS.length];
    for (int bucket = 0; bucket < counts.length; bucket++) {
      sums[row(startMicros(bucket) / 1_000)] += counts[bucket];
    }
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < sums.length; i++) {
      words.append('[').append(WORDS[i]).append("]:").append(sums[i]).append(' ');
    }
    return words.toString();
  }

  private static int row(long ms) {
    int row = 0;
    while (ms >= LIMITS_MS[row]) {
      row++;
    }
    return row;
  }

  /** Messages that were counted. */
  long total() {
    long total = 0;
    for (long count : counts) {
      total += count;
    }
    return total;
  }
}
