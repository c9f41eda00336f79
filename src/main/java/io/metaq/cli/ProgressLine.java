package io.metaq.cli;

import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** One line on standard error that is written over while long work goes on; only for people at a terminal, or when asked for. */
@OwnedBy("the command's main thread")
final class ProgressLine {
  private static final long PERIOD_NS = 500_000_000;
  private static final String ERASE = "\r\u001b[K";

  @Option(names = "--progress", description = "Shows the progress line also when standard error is no terminal.")
  private boolean asked;

  private Optional<Boolean> wanted = Optional.empty();
  private long lastNs;
  private boolean shown;

  /** Shows the text, at most twice a second. */
  void show(PrintWriter err, Clock clock, Supplier<String> text) {
    if (wanted.isEmpty()) {
      wanted = Optional.of(asked || Terminal.present());
    }
    if (!wanted.get()) {
      return;
    }
    long nowNs = clock.nanos();
    if (!shown || nowNs - lastNs >= PERIOD_NS) {
      shown = true;
      lastNs = nowNs;
      err.print(ERASE + text.get());
      err.flush();
    }
  }

  /** Takes the line away, so that what follows stands alone. */
  void clear(PrintWriter err) {
    if (shown) {
      err.print(ERASE);
      err.flush();
      shown = false;
    }
  }
}
