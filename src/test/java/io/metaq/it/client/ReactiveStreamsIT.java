package io.metaq.it.client;

import io.metaq.client.Delivery;
import io.metaq.client.Message;
import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.it.Queues;
import io.metaq.it.ReactiveStreamsKit;
import io.metaq.it.Server;
import io.metaq.it.SharedServer;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.tck.TestEnvironment;
import org.reactivestreams.tck.flow.FlowPublisherVerification;
import org.testng.annotations.Factory;

/** The compatibility kit of Reactive Streams, over the network, for subscribers alone, in a group and in a broadcasting group. */
@Timeout(400)
@ExtendWith(SharedServer.class)
class ReactiveStreamsIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int MESSAGES = 1200;
  private static final int TESTS_THAT_MUST_RUN = 80;

  private final Server server;

  @TempDir
  private Path folder;

  private Vertx vertx;
  private MetaqClient client;

  ReactiveStreamsIT(Server server) {
    this.server = server;
  }

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    client = MetaqClient.create(vertx, options());
    Kinds.instance = new Kinds.Setting(client, this::closedClient, Queues.freshName("rules"));
    client.sendAll(IntStream.range(0, MESSAGES).mapToObj(i -> Message.to(Kinds.instance.topic).body("m" + i)).toList())
        .await().atMost(LIMIT);
  }

  @AfterEach
  void stop() throws Exception {
    client.close().await().atMost(LIMIT);
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void shouldKeepEveryRule() {
    ReactiveStreamsKit.shouldPass(Kinds.class, TESTS_THAT_MUST_RUN);
  }

  private MetaqClientOptions options() {
    return new MetaqClientOptions().setNameServers(server.namesrv()).setLocalOffsets(folder);
  }

  private MetaqClient closedClient() {
    MetaqClient closed = MetaqClient.create(vertx, options());
    closed.close().await().atMost(LIMIT);
    return closed;
  }

  /** One set of tests for each kind of subscription; the kit makes it without arguments. */
  public static final class Kinds {
    private static Setting instance;

    /** What the kinds read, and with what. */
    private record Setting(MetaqClient client, Supplier<MetaqClient> closedClient, String topic) {}

    @Factory
    public Object[] kinds() {
      AtomicInteger groups = new AtomicInteger();
      Subscription alone = Subscription.to(instance.topic).from(Position.EARLIEST);
      Supplier<Subscription> member =
          () -> alone.group(instance.topic + "-" + groups.incrementAndGet()).handover(Duration.ZERO);
      return new Object[] {
        new Rules("alone", instance, () -> alone),
        new Rules("member", instance, member),
        new Rules("broadcasting", instance, () -> member.get().broadcasting()),
      };
    }
  }

  /** The kit's tests of publishers. */
  public static final class Rules extends FlowPublisherVerification<Delivery> {
    private static final long TIMEOUT_MS = 10_000;
    private static final long SILENCE_MS = 60;
    private static final long POLL_MS = 50;
    private static final long COLLECTION_MS = 3000;

    private final String kind;
    private final Kinds.Setting setting;
    private final Supplier<Subscription> subscription;

    Rules(String kind, Kinds.Setting setting, Supplier<Subscription> subscription) {
      super(new TestEnvironment(TIMEOUT_MS, SILENCE_MS, POLL_MS), COLLECTION_MS);
      this.kind = kind;
      this.setting = setting;
      this.subscription = subscription;
    }

    @Override
    public Flow.Publisher<Delivery> createFlowPublisher(long elements) {
      return elements > MESSAGES
          ? setting.client.subscribe(subscription.get())
          : setting.client.subscribe(subscription.get()).select().first(elements);
    }

    @Override
    public Flow.Publisher<Delivery> createFailedFlowPublisher() {
      return setting.closedClient.get().subscribe(subscription.get());
    }

    /** Only that of the topic, which is longer than any test reads; but the stream itself never ends. */
    @Override
    public long maxElementsFromPublisher() {
      return publisherUnableToSignalOnComplete() - 1;
    }

    @Override
    public String toString() {
      return kind;
    }
  }
}
