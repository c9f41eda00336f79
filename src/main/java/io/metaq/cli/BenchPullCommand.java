package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.TopicQueue;
import io.metaq.model.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures reads. */
@Command(
    name = "pull",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Reads what is stored in a topic from the beginning, one request at a time for each queue, and measures each request.",
      "A queue that is at its end is read again from its beginning. Fill the topic with 'bench send' first."
    })
final class BenchPullCommand implements Callable<Integer> {
  private static final long LOOK_MS = 100;

  @Spec private CommandSpec spec;
  @Mixin private ClientOptions cluster;
  @Mixin private ProgressLine progress;

  @Option(names = {"-t", "--topic"}, paramLabel = "TOPIC", description = "Topic to read; ${DEFAULT-VALUE} by default.")
  private String topic = LoadOptions.DEFAULT_TOPIC;

  @Option(names = "--batch", paramLabel = "N", description = "Messages of one request, at most; ${DEFAULT-VALUE} by default.")
  private int batch = 32;

  @Option(names = "--duration", paramLabel = "SECONDS", description = "How long to measure; ${DEFAULT-VALUE} by default.")
  private int durationSeconds = 10;

  @Option(names = "--count", paramLabel = "N", description = "Ends after so many messages, if that comes first.")
  private long count = Long.MAX_VALUE;

  @Override
  public Integer call() {
    if (batch < 1 || durationSeconds < 1 || count < 1) {
      throw new ParameterException(spec.commandLine(), "--batch, --duration and --count must be at least 1");
    }
    return ClientRun.run(spec, cluster, this::measure);
  }

  private void measure(MetaqClient client, Interruption interruption) {
    Clock clock = Clock.system();
    Measurement measurement = new Measurement(clock);
    BenchReport report = BenchReport.of(spec, progress, clock);
    List<TopicQueue> queues = client.queues(topic).await().indefinitely();
    CountDownLatch running = new CountDownLatch(queues.size());
    long beginNs = clock.nanos();
    long durationNs = TimeUnit.SECONDS.toNanos(durationSeconds);
    BooleanSupplier over =
        () -> interruption.requested() || clock.nanos() - beginNs >= durationNs || measurement.items() >= count;
    Consumer<Throwable> onEnd =
        failure -> {
          if (failure != null) {
            report.failed(failure);
          }
          running.countDown();
        };
    measurement.begin();
    List<QueueLoop> loops =
        queues.stream().map(queue -> new QueueLoop(client, queue, batch, measurement, clock, over, onEnd)).toList();
    loops.forEach(QueueLoop::next);
    while (!ended(running)) {
      report.tick(measurement, beginNs, "read");
    }
    measurement.end();
    report.end(
        measurement,
        loops.stream().mapToLong(QueueLoop::bodyBytes).sum(),
        "read",
        "latency of a pull of up to " + batch + " (closed loop, " + queues.size() + " queues)");
    if (measurement.items() == 0) {
      throw new CommandFailure("the topic '" + topic + "' holds no messages; fill it with 'metaq bench send -t " + topic + "'");
    }
  }

  private static boolean ended(CountDownLatch running) {
    try {
      return running.await(LOOK_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
