package io.metaq.messaging;

import static io.smallrye.reactive.messaging.annotations.ConnectorAttribute.Direction.INCOMING;
import static io.smallrye.reactive.messaging.annotations.ConnectorAttribute.Direction.INCOMING_AND_OUTGOING;
import static io.smallrye.reactive.messaging.annotations.ConnectorAttribute.Direction.OUTGOING;

import io.metaq.client.MetaqClientOptions;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.annotations.ConnectorAttribute;
import io.smallrye.reactive.messaging.connector.InboundConnector;
import io.smallrye.reactive.messaging.connector.OutboundConnector;
import io.smallrye.reactive.messaging.health.HealthReport;
import io.smallrye.reactive.messaging.health.HealthReporter;
import io.smallrye.reactive.messaging.providers.connectors.ExecutionHolder;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.BeforeDestroyed;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Reception;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.reactive.messaging.Message;
import org.eclipse.microprofile.reactive.messaging.spi.Connector;

/**
 * Channels over topics of MetaQ or RocketMQ. An incoming message is a {@code byte[]} with {@link IncomingMetaqMetadata};
 * {@link MetaqMessageConverter} has the other types. An outgoing one takes what {@link OutgoingMetaqMetadata} says, and its
 * {@code OutgoingMessageMetadata} gets the {@code SendReceipt}. Acknowledging lets the group's progress move on; a message that is
 * refused goes the way of {@code failure-strategy}.
 */
@ApplicationScoped
@Connector(MetaqConnector.NAME)
@ConnectorAttribute(name = "name-servers", type = "string", direction = INCOMING_AND_OUTGOING, defaultValue = "localhost:9876",
    description = "host:port of each name server, separated by ; or ,")
@ConnectorAttribute(name = "client-options-name", type = "string", direction = INCOMING_AND_OUTGOING,
    description = "@Identifier of a bean MetaqClientOptions with all options of the client, TLS and credentials among them; the other "
        + "attributes of the connection count for nothing then")
@ConnectorAttribute(name = "request-timeout-ms", type = "int", direction = INCOMING_AND_OUTGOING, defaultValue = "3000",
    description = "how long one request waits for its answer")
@ConnectorAttribute(name = "topic", type = "string", direction = INCOMING_AND_OUTGOING,
    description = "the topic; the name of the channel when it is not set")
@ConnectorAttribute(name = "health-enabled", type = "boolean", direction = INCOMING_AND_OUTGOING, defaultValue = "true",
    description = "whether the channel takes part in health checks")
@ConnectorAttribute(name = "health-readiness-enabled", type = "boolean", direction = INCOMING_AND_OUTGOING, defaultValue = "true",
    description = "whether readiness asks if the name servers can be reached")
@ConnectorAttribute(name = "group.id", type = "string", direction = INCOMING,
    description = "the consumer group; without one the application reads every message for itself and stores no progress")
@ConnectorAttribute(name = "auto.offset.reset", type = "string", direction = INCOMING, defaultValue = "latest",
    description = "where to begin without stored progress: latest, earliest, or a time such as 2026-01-31T12:00:00Z")
@ConnectorAttribute(name = "tags", type = "string", direction = INCOMING, description = "only messages with one of these: paid || shipped")
@ConnectorAttribute(name = "sql", type = "string", direction = INCOMING,
    description = "only messages whose properties match this SQL92 expression")
@ConnectorAttribute(name = "ordered", type = "boolean", direction = INCOMING, defaultValue = "false",
    description = "whether a message of a queue comes only when the one before it is acknowledged")
@ConnectorAttribute(name = "broadcasting", type = "boolean", direction = INCOMING, defaultValue = "false",
    description = "whether each member of the group reads every message, with its progress in a local file")
@ConnectorAttribute(name = "max-retries", type = "int", direction = INCOMING,
    description = "how often a message is delivered again before it goes to the dead letters; 16 when it is not set, without end when ordered")
@ConnectorAttribute(name = "failure-strategy", type = "string", direction = INCOMING, defaultValue = "retry",
    description = "what becomes of a message that is refused: retry (the broker delivers it again), dead-letter-queue, ignore, fail (the "
        + "channel stops); fail when there is no group.id")
@ConnectorAttribute(name = "retry-delay-ms", type = "int", direction = INCOMING,
    description = "delay of retry, taken up to the broker's next delay level; a delay that grows when it is not set")
@ConnectorAttribute(name = "read-ahead", type = "int", direction = INCOMING, defaultValue = "64",
    description = "messages of one queue that are read before they are asked for, at most")
@ConnectorAttribute(name = "max-unsettled", type = "int", direction = INCOMING, defaultValue = "2000",
    description = "messages of one queue that are neither acknowledged nor refused, at most")
@ConnectorAttribute(name = "stuck-after-ms", type = "int", direction = INCOMING, defaultValue = "60000",
    description = "how long a message may be neither acknowledged nor refused before liveness fails")
@ConnectorAttribute(name = "producer-group", type = "string", direction = OUTGOING, defaultValue = "DEFAULT_PRODUCER",
    description = "the group that messages are sent in")
@ConnectorAttribute(name = "send-timeout-ms", type = "int", direction = OUTGOING, defaultValue = "10000",
    description = "how long a send may take with all its attempts")
@ConnectorAttribute(name = "tag", type = "string", direction = OUTGOING, description = "tag of messages that bring none")
@ConnectorAttribute(name = "max-inflight-messages", type = "int", direction = OUTGOING, defaultValue = "1024",
    description = "messages that are sent and not yet answered, at most")
public class MetaqConnector implements InboundConnector, OutboundConnector, HealthReporter {
  /** As {@code mp.messaging.incoming.CHANNEL.connector} has it. */
  public static final String NAME = "smallrye-metaq";

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  /** Before the Vert.x they run on is closed. */
  private static final int BEFORE_VERTX = 50;

  private final Vertx vertx;
  private final Clients clients;
  private final List<IncomingChannel> incoming = new CopyOnWriteArrayList<>();
  private final List<OutgoingChannel> outgoing = new CopyOnWriteArrayList<>();

  /** What stands before the bean has no state. */
  protected MetaqConnector() {
    this.vertx = null;
    this.clients = null;
  }

  @Inject
  public MetaqConnector(ExecutionHolder execution, @Any Instance<MetaqClientOptions> options) {
    this.vertx = execution.vertx().getDelegate();
    this.clients = new Clients(vertx, name -> options.select(Identifier.Literal.of(name)).get());
  }

  @Override
  public Flow.Publisher<? extends Message<?>> getPublisher(Config config) {
    IncomingSettings settings = IncomingSettings.of(new Attributes(config));
    IncomingChannel channel = new IncomingChannel(
        settings,
        clients.forReading(settings.connection(), settings.subscription().group(), settings.subscription().topic()),
        newContext());
    incoming.add(channel);
    return channel.messages();
  }

  @Override
  public Flow.Subscriber<? extends Message<?>> getSubscriber(Config config) {
    OutgoingSettings settings = OutgoingSettings.of(new Attributes(config));
    OutgoingChannel channel = new OutgoingChannel(settings, clients.forSending(settings.connection()));
    outgoing.add(channel);
    return channel.subscriber();
  }

  /**
   * A channel that has stopped does not come back by itself, and neither does a handler that never answers. Blocks for as long as the
   * channels need to tell, 2 s at most.
   */
  @Override
  public HealthReport getLiveness() {
    HealthReport.HealthReportBuilder report = HealthReport.builder();
    List<IncomingChannel> asked = incoming.stream().filter(channel -> channel.settings().health().enabled()).toList();
    add(report, asked.stream().map(channel -> channel.settings().channel()).toList(), asked.stream().map(IncomingChannel::fault).toList());
    for (OutgoingChannel channel : outgoing) {
      if (channel.settings().health().enabled()) {
        report.add(channel.settings().channel(), true);
      }
    }
    return report.build();
  }

  /** Asks every channel's name servers, all at once; blocks for as long as they take, 2 s at most. */
  @Override
  public HealthReport getReadiness() {
    List<Readiness> asked = new ArrayList<>();
    incoming.stream().filter(channel -> channel.settings().health().asksReadiness()).forEach(channel -> asked.add(channel.readiness()));
    outgoing.stream().filter(channel -> channel.settings().health().asksReadiness()).forEach(channel -> asked.add(channel.readiness()));
    HealthReport.HealthReportBuilder report = HealthReport.builder();
    add(report, asked.stream().map(Readiness::channel).toList(), asked.stream().map(Readiness::fault).toList());
    return report.build();
  }

  /** One row for each channel, once all have told. */
  private static void add(HealthReport.HealthReportBuilder report, List<String> channels, List<Uni<String>> asked) {
    if (asked.isEmpty()) {
      return;
    }
    List<String> faults = Uni.join().all(asked).andFailFast().await().indefinitely();
    for (int i = 0; i < faults.size(); i++) {
      report.add(channels.get(i), faults.get(i).isEmpty(), faults.get(i));
    }
  }

  /** Leaves groups with their progress stored, when the application ends. */
  public void end(
      @Observes(notifyObserver = Reception.IF_EXISTS) @Priority(BEFORE_VERTX) @BeforeDestroyed(ApplicationScoped.class) Object ignored) {
    clients.close(CLOSE_LIMIT);
  }

  /** Vert.x ties a context to the thread that asks for one, so a thread of its own asks: channels are spread over the event loops. */
  private Context newContext() {
    CompletableFuture<Context> context = new CompletableFuture<>();
    new Thread(() -> context.complete(vertx.getOrCreateContext()), "metaq-channel").start();
    return context.join();
  }
}
