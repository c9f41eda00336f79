package io.metaq.cli;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.model.Clock;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints messages. */
@Command(
    name = "consume",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Prints the messages of a topic, one line each, until interrupted.",
      "As a member of a group each message printed is acknowledged; without a group nothing is stored at the brokers.",
      "Ends when standard output takes no more lines; what it has not taken is not acknowledged."
    })
final class ConsumeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ClientOptions cluster;
  @Mixin private ProgressLine progress;

  @Option(names = {"-t", "--topic"}, required = true, paramLabel = "TOPIC", description = "What to read.")
  private String topic;

  @Option(names = {"-g", "--group"}, paramLabel = "GROUP", description = "Reads as a member of this group.")
  private String group;

  @Option(
      names = "--filter",
      paramLabel = "EXPR",
      description = {
        "Tags, for example 'paid || shipped', or what properties must match in SQL92, for example \"region = 'eu' AND weight > 5\"; all by"
            + " default."
      })
  private String filter = "*";

  @Option(
      names = "--filter-type",
      paramLabel = "tag|sql",
      description = "What the filter is; by default SQL92 when there is a comparison in it, else tags.")
  private FilterKind filterType;

  @Option(
      names = "--from",
      paramLabel = "earliest|latest|TIME",
      converter = StartText.class,
      description = "Where to begin when the group has no progress yet; earliest by default.")
  private Position from = Position.EARLIEST;

  @Option(names = "--count", paramLabel = "N", description = "Ends after so many messages.")
  private long count = Long.MAX_VALUE;

  @Option(names = "--json", description = "Prints each message as a JSON object with all that is known about it.")
  private boolean json;

  @Override
  public Integer call() {
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count must be at least 1");
    }
    return ClientRun.run(spec, cluster, this::consume);
  }

  private void consume(MetaqClient client, Interruption interruption) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    DeliveryQueue received = new DeliveryQueue();
    client.subscribe(subscription()).subscribe().withSubscriber(received);
    try {
      print(received, interruption, out, err);
    } finally {
      // What it was given beyond that is not waited for: it is delivered again.
      received.cancel();
      progress.clear(err);
    }
  }

  private void print(DeliveryQueue received, Interruption interruption, PrintWriter out, PrintWriter err) {
    long printed = 0;
    while (printed < count && !interruption.requested() && !received.ended()) {
      Delivery delivery = received.poll();
      if (delivery != null) {
        StandardOutput.println(out, json ? MessageText.json(delivery) : MessageText.line(delivery));
        acknowledge(delivery);
        printed++;
      }
      long soFar = printed;
      progress.show(err, Clock.system(), () -> soFar + " messages");
    }
  }

  /** A queue that went to another member meanwhile is no failure: that member gets the message again. */
  private static void acknowledge(Delivery delivery) {
    try {
      delivery.ack().await().indefinitely();
    } catch (MetaqException failure) {
      if (failure.reason() != MetaqException.Reason.QUEUE_LOST) {
        throw failure;
      }
    }
  }

  private Subscription subscription() {
    FilterKind kind = filterType == null ? FilterKind.of(filter) : filterType;
    Subscription subscription = kind.select(Subscription.to(topic), filter).from(from);
    return group == null ? subscription : subscription.group(group);
  }
}
