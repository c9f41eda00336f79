package io.metaq.cli;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.model.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures the way from a producer to a consumer. */
@Command(
    name = "e2e",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Sends and reads at once, and measures from the start of each send to the arrival at the reader.")
final class BenchEndToEndCommand implements Callable<Integer> {
  private static final long DRAIN_MS = 10_000;
  private static final long PROBE_PERIOD_NS = 100_000_000;
  private static final int MAX_PROBES = 300;

  @Spec private CommandSpec spec;
  @Mixin private ClientOptions cluster;
  @Mixin private LoadOptions options;
  @Mixin private ProgressLine progress;

  @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "Reads as the only member of this group; alone by default.")
  private String group;

  @Override
  public Integer call() {
    options.check(spec, Arrivals.BODY_BYTES);
    return ClientRun.run(spec, cluster, this::measure);
  }

  private void measure(MetaqClient client, Interruption interruption) {
    Clock clock = Clock.system();
    Measurement measurement = new Measurement(clock);
    BenchReport report = BenchReport.of(spec, progress, clock);
    Load load = new Load(clock, options, interruption);
    Arrivals arrivals = new Arrivals(UUID.randomUUID().getMostSignificantBits(), measurement, load);
    Subscription subscription = Subscription.to(options.topic()).from(Position.LATEST);
    client.send(message(arrivals, Arrivals.PROBE)).await().indefinitely();
    client
        .subscribe(group == null ? subscription : subscription.group(group))
        .onItem()
        .invoke(arrivals::arrived)
        .onItem()
        .transformToUniAndConcatenate(delivery -> delivery.ack())
        .subscribe()
        .with(acknowledged -> {}, report::failed);
    awaitReader(client, arrivals, report, interruption);
    run(client, arrivals, load, options.warmup(), Long.MAX_VALUE, measurement, report);
    // What the warm-up has piled up is not the load that is measured.
    load.drain(DRAIN_MS);
    measurement.begin();
    run(client, arrivals, load, options.duration(), options.count(), measurement, report);
    measurement.end();
    boolean allArrived = load.drain(DRAIN_MS);
    report.end(measurement, measurement.items() * options.size(), "arrived", options.latencyText("a message"));
    if (!allArrived) {
      throw new CommandFailure("not every message arrived within " + DRAIN_MS / 1000 + " s");
    }
  }

  private void run(
      MetaqClient client, Arrivals arrivals, Load load, Duration duration, long count, Measurement measurement, BenchReport report) {
    long beginNs = report.clock().nanos();
    load.run(
        duration.toNanos(),
        count,
        startNs ->
            client
                .send(message(arrivals, startNs))
                .subscribe()
                .with(
                    receipt -> {},
                    failure -> {
                      measurement.failed(startNs);
                      report.failed(failure);
                      load.answered();
                    }),
        () -> report.tick(measurement, beginNs, "arrived"));
  }

  /** The reader stands at the end of a queue once a probe in it has arrived; only then is load of use. */
  private void awaitReader(MetaqClient client, Arrivals arrivals, BenchReport report, Interruption interruption) {
    int queues = client.queues(options.topic()).await().indefinitely().size();
    for (int i = 0; i < MAX_PROBES && !interruption.requested(); i++) {
      report.throwFailure();
      for (int queue = 0; queue < queues; queue++) {
        client.send(message(arrivals, Arrivals.PROBE)).await().indefinitely();
      }
      LockSupport.parkNanos(PROBE_PERIOD_NS);
      if (arrivals.probedQueues() >= queues) {
        return;
      }
    }
    if (!interruption.requested()) {
      throw new CommandFailure("the reader got no message from some queue of topic '" + options.topic() + "'");
    }
  }

  private Message message(Arrivals arrivals, long startNs) {
    return Message.to(options.topic()).body(arrivals.body(options.size(), startNs));
  }
}
