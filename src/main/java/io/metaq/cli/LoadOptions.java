package io.metaq.cli;

import java.time.Duration;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How much load a benchmark makes. */
final class LoadOptions {
  static final String DEFAULT_TOPIC = "metaq-bench";

  @Option(names = {"-t", "--topic"}, paramLabel = "TOPIC", description = "Topic to use; ${DEFAULT-VALUE} by default.")
  private String topic = DEFAULT_TOPIC;

  @Option(names = "--size", paramLabel = "BYTES", description = "Bytes of a body; ${DEFAULT-VALUE} by default.")
  private int size = 128;

  @Option(
      names = "--rate",
      paramLabel = "PER-SECOND",
      description = {
        "Messages a second, on a fixed schedule (open loop): a message that starts late counts from when it was due.",
        "Without it each answer starts the next message (closed loop)."
      })
  private double rate;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      description = "Messages without an answer at a time, at most; 256 by default, with --rate 16384.")
  private int inFlight;

  @Option(names = "--duration", paramLabel = "SECONDS", description = "How long to measure; ${DEFAULT-VALUE} by default.")
  private int durationSeconds = 10;

  @Option(names = "--warmup", paramLabel = "SECONDS", description = "Load before the measurement; ${DEFAULT-VALUE} by default.")
  private int warmupSeconds = 2;

  @Option(names = "--count", paramLabel = "N", description = "Ends after so many measured messages, if that comes first.")
  private long count = Long.MAX_VALUE;

  /** Checks what picocli cannot. */
  void check(CommandSpec spec, int minSize) {
    CommandLine command = spec.commandLine();
    require(command, size >= minSize && size <= 4 << 20, "--size must be " + minSize + " to 4194304");
    require(command, rate >= 0, "--rate must not be negative");
    require(command, inFlight >= 0, "--in-flight must not be negative");
    require(command, durationSeconds > 0 && warmupSeconds >= 0 && count > 0, "--duration, --warmup and --count must be positive");
  }

  String topic() {
    return topic;
  }

  int size() {
    return size;
  }

  boolean openLoop() {
    return rate > 0;
  }

  double rate() {
    return rate;
  }

  int inFlight() {
    return inFlight > 0 ? inFlight : openLoop() ? 16_384 : 256;
  }

  Duration duration() {
    return Duration.ofSeconds(durationSeconds);
  }

  Duration warmup() {
    return Duration.ofSeconds(warmupSeconds);
  }

  long count() {
    return count;
  }

  /** How latencies are to be read. */
  String latencyText(String what) {
    return openLoop()
        ? "latency of " + what + ", from when it was due (open loop, " + Math.round(rate) + "/s)"
        : "latency of " + what + " (closed loop, " + inFlight() + " in flight)";
  }

  private static void require(CommandLine command, boolean holds, String sentence) {
    if (!holds) {
      throw new ParameterException(command, sentence);
    }
  }
}
