package io.metaq.cli;

import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Latencies for people: a line of percentiles and a histogram of bars. The bars' bounds go 1, 2, 5, 10 and so on, so that a short
 * and a long latency both have room.
 */
final class LatencyTable {
  private static final double NS_PER_MS = 1e6;
  private static final int BAR_WIDTH = 50;
  private static final long[] STEPS = {1, 2, 5};
  private static final long SMALLEST_BOUND_NS = 1_000;

  private LatencyTable() {}

  /**
   * The table.
   *
   * @param title what was measured
   * @param latencies in ns
   */
  static String of(String title, Histogram latencies) {
    StringBuilder text = new StringBuilder(title).append(", in ms\n");
    if (latencies.getTotalCount() == 0) {
      return text.append("  nothing was measured\n").toString();
    }
    text.append(String.format(Locale.ROOT, "%12s%12s%12s%12s%12s%n", "p50", "p90", "p99", "p99.9", "max"));
    text.append(
        String.format(
            Locale.ROOT,
            "%12.3f%12.3f%12.3f%12.3f%12.3f%n%n",
            ms(latencies.getValueAtPercentile(50)),
            ms(latencies.getValueAtPercentile(90)),
            ms(latencies.getValueAtPercentile(99)),
            ms(latencies.getValueAtPercentile(99.9)),
            ms(latencies.getMaxValue())));
    bars(text, latencies);
    return text.toString();
  }

  private static void bars(StringBuilder text, Histogram latencies) {
    long from = 0;
    for (int i = 0; from <= latencies.getMaxValue(); i++) {
      long to = bound(i);
      long count = from >= to ? 0 : latencies.getCountBetweenValues(from, to - 1);
      boolean inside = to > latencies.getMinValue() && from <= latencies.getMaxValue();
      if (inside) {
        double share = (double) count / latencies.getTotalCount();
        text.append(
            String.format(
                Locale.ROOT,
                "%10s - %-8s |%-" + BAR_WIDTH + "s| %6.2f%% %d%n",
                bound(from), bound(to), "#".repeat((int) Math.round(share * BAR_WIDTH)), share * 100, count));
      }
      from = to;
    }
  }

  /** 1 us, 2 us, 5 us, 10 us ... */
  private static long bound(int index) {
    long decade = SMALLEST_BOUND_NS;
    for (int i = 0; i < index / STEPS.length; i++) {
      decade *= 10;
    }
    return STEPS[index % STEPS.length] * decade;
  }

  private static String bound(long ns) {
    double ms = ms(ns);
    return ms == Math.rint(ms) ? Long.toString((long) ms) : Double.toString(ms);
  }

  private static double ms(long ns) {
    return ns / NS_PER_MS;
  }
}
