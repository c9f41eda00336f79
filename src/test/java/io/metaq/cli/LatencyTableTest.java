package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyTableTest {
  private final Histogram latencies = new Histogram(3_600_000_000_000L, 3);

  @Test
  void shouldShowPercentilesInMs() {
    latencies.recordValueWithCount(1_000_000, 900);
    latencies.recordValueWithCount(4_000_000, 90);
    latencies.recordValueWithCount(30_000_000, 10);

    String table = LatencyTable.of("latency of a test", latencies);

    assertThat(table).startsWith("latency of a test, in ms\n");
    assertThat(table.lines().skip(1).findFirst().orElseThrow().trim().split(" +")).containsExactly("p50", "p90", "p99", "p99.9", "max");
    String[] values = table.lines().skip(2).findFirst().orElseThrow().trim().split(" +");
    assertThat(values[0]).startsWith("1.0");
    assertThat(values[1]).startsWith("1.0");
    assertThat(values[2]).startsWith("4.0");
    assertThat(values[4]).startsWith("30.0");
  }

  @Test
  void shouldCountEveryLatencyInExactlyOneBar() {
    for (long ns = 1; ns < 5_000_000_000L; ns = ns * 3 / 2 + 1) {
      latencies.recordValue(ns);
    }

    long counted =
        LatencyTable.of("x", latencies).lines().filter(line -> line.contains("|"))
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();

    assertThat(counted).isEqualTo(latencies.getTotalCount());
  }

  @Test
  void shouldShowEmptyBarsBetweenFullOnes() {
    latencies.recordValue(1_500_000);
    latencies.recordValue(150_000_000);

    assertThat(LatencyTable.of("x", latencies).lines().filter(line -> line.contains("|"))).hasSize(7);
  }

  @Test
  void shouldSayWhenNothingWasMeasured() {
    assertThat(LatencyTable.of("x", latencies)).contains("nothing was measured");
  }
}
