package io.metaq.messaging;

import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.it.Queues;
import io.metaq.it.ReactiveStreamsKit;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.smallrye.mutiny.Multi;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.reactivestreams.tck.flow.FlowSubscriberBlackboxVerification;
import org.testng.annotations.Factory;

/** The compatibility kit of Reactive Streams, over the network, for what the connector gives and takes. */
@Timeout(400)
@ExtendWith(SharedServer.class)
class ChannelRulesIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MESSAGES = 1200;
  private static final int TESTS_THAT_MUST_RUN = 37;
  private static final long TIMEOUT_MS = 10_000;
  private static final long SILENCE_MS = 60;
  private static final long POLL_MS = 50;
  private static final long COLLECTION_MS = 3000;

  private final Server server;
  private Vertx vertx;
  private MetaqClient client;
  private MetaqClient closed;

  ChannelRulesIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    client = client();
    closed = client();
    closed.close().await().atMost(LIMIT);
    Sets.topic = Queues.freshName("rules");
    Sets.test = this;
    client.sendAll(IntStream.range(0, MESSAGES).mapToObj(i -> Message.to(Sets.topic).body("m" + i)).toList()).await().atMost(LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
    client.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldKeepEveryRule() {
    ReactiveStreamsKit.shouldPass(Sets.class, TESTS_THAT_MUST_RUN);
  }

  private MetaqClient client() {
    return MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.namesrv()));
  }

  private Multi<IncomingMessage> incoming(MetaqClient from, String group) {
    Config config = config("topic", Sets.topic, "group.id", group, "auto.offset.reset", "earliest");
    return new IncomingChannel(IncomingSettings.of(new Attributes(config)), from, vertx.getOrCreateContext()).messages();
  }

  private Flow.Subscriber<org.eclipse.microprofile.reactive.messaging.Message<?>> outgoing() {
    return new OutgoingChannel(OutgoingSettings.of(new Attributes(config("topic", Queues.freshName("rules")))), client).subscriber();
  }

  private static Config config(String... attributes) {
    Map<String, String> properties = new TreeMap<>(Map.of("channel-name", "kit"));
    for (int i = 0; i < attributes.length; i += 2) {
      properties.put(attributes[i], attributes[i + 1]);
    }
    return ConfigProviderResolver.instance().getBuilder().withSources(new Given(properties)).build();
  }

  private record Given(Map<String, String> properties) implements ConfigSource {
    @Override
    public Set<String> getPropertyNames() {
      return properties.keySet();
    }

    @Override
    public String getValue(String name) {
      return properties.get(name);
    }

    @Override
    public String getName() {
      return "the kit";
    }
  }

  /** Both directions; the kit makes it without arguments. */
  public static final class Sets {
    private static ChannelRulesIT test;
    private static String topic;

    @Factory
    public Object[] sets() {
      return new Object[] {new Incoming(test), new Outgoing(test)};
    }
  }

  /** The kit's tests of publishers. */
  public static final class Incoming extends FlowPublisherVerification<IncomingMessage> {
    private final ChannelRulesIT test;
    private final AtomicInteger groups = new AtomicInteger();

    Incoming(ChannelRulesIT test) {
      super(new TestEnvironment(TIMEOUT_MS, SILENCE_MS, POLL_MS), COLLECTION_MS);
      this.test = test;
    }

    @Override
    public Flow.Publisher<IncomingMessage> createFlowPublisher(long elements) {
      Multi<IncomingMessage> messages = test.incoming(test.client, Sets.topic + "-" + groups.incrementAndGet());
      return elements > MESSAGES ? messages : messages.select().first(elements);
    }

    @Override
    public Flow.Publisher<IncomingMessage> createFailedFlowPublisher() {
      return test.incoming(test.closed, "closed");
    }

    /** Only that of the topic, which is longer than any test reads; but the stream itself never ends. */
    @Override
    public long maxElementsFromPublisher() {
      return publisherUnableToSignalOnComplete() - 1;
    }

    @Override
    public String toString() {
      return "incoming";
    }
  }

  /** The kit's tests of subscribers that nobody looks into. */
  public static final class Outgoing extends FlowSubscriberBlackboxVerification<org.eclipse.microprofile.reactive.messaging.Message<?>> {
    private final ChannelRulesIT test;

    Outgoing(ChannelRulesIT test) {
      super(new TestEnvironment(TIMEOUT_MS, SILENCE_MS, POLL_MS));
      this.test = test;
    }

    @Override
    public Flow.Subscriber<org.eclipse.microprofile.reactive.messaging.Message<?>> createFlowSubscriber() {
      return test.outgoing();
    }

    @Override
    public org.eclipse.microprofile.reactive.messaging.Message<?> createElement(int element) {
      return org.eclipse.microprofile.reactive.messaging.Message.of("m" + element);
    }

    @Override
    public String toString() {
      return "outgoing";
    }
  }
}
