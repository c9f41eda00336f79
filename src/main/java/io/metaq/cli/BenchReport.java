package io.metaq.cli;

import io.metaq.model.Clock;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Model.CommandSpec;

/** What a benchmark says: a line while it runs, at the end rates and the latency table. */
record BenchReport(CommandSpec spec, ProgressLine progress, Clock clock, AtomicReference<Throwable> firstFailure) {
  static BenchReport of(CommandSpec spec, ProgressLine progress, Clock clock) {
    return new BenchReport(spec, progress, clock, new AtomicReference<>());
  }

  /** Remembers the first failure; it names the cause at the end. */
  void failed(Throwable cause) {
    firstFailure.compareAndSet(null, cause);
  }

  void tick(Measurement measurement, long beginNs, String verb) {
    progress.show(
        spec.commandLine().getErr(),
        clock,
        () -> {
          double seconds = (clock.nanos() - beginNs) / 1e9;
          if (!measurement.begun()) {
            return String.format(Locale.ROOT, "%5.1f s  warming up", seconds);
          }
          return String.format(
              Locale.ROOT,
              "%5.1f s  %,d messages %s, %,.0f/s, %d failed",
              seconds, measurement.items(), verb, measurement.items() / Math.max(0.001, seconds), measurement.failures());
        });
  }

  /** Throws the first failure if there was one. */
  void throwFailure() {
    if (firstFailure.get() instanceof RuntimeException failure) {
      throw failure;
    }
  }

  /**
   * The end.
   *
   * @param bodyBytes of all messages that count
   * @throws RuntimeException the first failure, when nothing at all succeeded
   */
  void end(Measurement measurement, long bodyBytes, String verb, String title) {
    PrintWriter out = spec.commandLine().getOut();
    progress.clear(spec.commandLine().getErr());
    if (measurement.items() == 0) {
      throwFailure();
    }
    double seconds = Math.max(0.001, measurement.seconds());
    out.printf(
        Locale.ROOT,
        "%,d messages %s in %.1f s: %,.0f/s, %.1f MB/s, %d failed%n%n",
        measurement.items(), verb, seconds, measurement.items() / seconds, bodyBytes / seconds / 1e6,
        measurement.failures());
    out.print(LatencyTable.of(title, measurement.latencies()));
    out.flush();
    if (firstFailure.get() != null) {
      spec.commandLine().getErr().println("metaq: the first failure was: " + firstFailure.get().getMessage());
    }
  }
}
