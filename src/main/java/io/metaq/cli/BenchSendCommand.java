package io.metaq.cli;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.model.Clock;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Measures sends. */
@Command(
    name = "send",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Sends messages one by one over one connection to each broker and measures how long each takes to be stored.")
final class BenchSendCommand implements Callable<Integer> {
  private static final long DRAIN_MS = 10_000;

  @Spec private CommandSpec spec;
  @Mixin private ClientOptions cluster;
  @Mixin private LoadOptions options;
  @Mixin private ProgressLine progress;

  @Override
  public Integer call() {
    options.check(spec, 0);
    return ClientRun.run(spec, cluster, this::measure);
  }

  private void measure(MetaqClient client, Interruption interruption) {
    Clock clock = Clock.system();
    Measurement measurement = new Measurement(clock);
    BenchReport report = BenchReport.of(spec, progress, clock);
    Load load = new Load(clock, options, interruption);
    Message message = Message.to(options.topic()).body(new byte[options.size()]);
    // The first message fails the whole run when the cluster cannot be reached or refuses it.
    client.send(message).await().indefinitely();
    run(load, options.warmup(), Long.MAX_VALUE, client, message, measurement, report);
    // What the warm-up has piled up is not the load that is measured.
    load.drain(DRAIN_MS);
    measurement.begin();
    run(load, options.duration(), options.count(), client, message, measurement, report);
    measurement.end();
    load.drain(DRAIN_MS);
    report.end(measurement, measurement.items() * options.size(), "stored", options.latencyText("a send"));
  }

  private void run(
      Load load, Duration duration, long count, MetaqClient client, Message message, Measurement measurement, BenchReport report) {
    long beginNs = report.clock().nanos();
    load.run(
        duration.toNanos(),
        count,
        startNs ->
            client
                .send(message)
                .subscribe()
                .with(
                    receipt -> {
                      measurement.record(startNs, 1);
                      load.answered();
                    },
                    failure -> {
                      measurement.failed(startNs);
                      report.failed(failure);
                      load.answered();
                    }),
        () -> report.tick(measurement, beginNs, "stored"));
  }
}
