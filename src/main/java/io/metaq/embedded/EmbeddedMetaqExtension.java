package io.metaq.embedded;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * JUnit 5 with an embedded cluster: one for a test class and the classes nested in it, or one for each test when the extension is
 * registered in an instance field. Tests, constructors and life-cycle methods take {@link EmbeddedMetaq} and {@link MetaqClient} as
 * parameters; a client is its test's own and is closed behind it.
 *
 * <pre>{@code
 * @ExtendWith(EmbeddedMetaqExtension.class)
 * class OrdersTest {
 *   @Test
 *   void shouldSend(MetaqClient client) { ... }
 * }
 *
 * @RegisterExtension
 * static final EmbeddedMetaqExtension METAQ = new EmbeddedMetaqExtension(EmbeddedMetaqOptions.defaults().brokers(2));
 * }</pre>
 */
public final class EmbeddedMetaqExtension
    implements BeforeAllCallback, AfterAllCallback, BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Set<Class<?>> INJECTED = Set.of(EmbeddedMetaq.class, MetaqClient.class);

  private final Namespace namespace = Namespace.create(EmbeddedMetaqExtension.class, this);
  private final EmbeddedMetaqOptions options;

  public EmbeddedMetaqExtension() {
    this(EmbeddedMetaqOptions.defaults());
  }

  public EmbeddedMetaqExtension(EmbeddedMetaqOptions options) {
    this.options = options;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    cluster(context);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    closeWhatIsOf(context);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    closeWhatIsOf(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return INJECTED.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Cluster cluster = cluster(context);
    return parameter.getParameter().getType() == EmbeddedMetaq.class ? cluster.metaq() : client(context, cluster);
  }

  /** The one of this context or of one around it; else a new one, which is this context's. */
  private Cluster cluster(ExtensionContext context) {
    return there(context, Cluster.class, () -> openCluster(context));
  }

  private Opened<Cluster> openCluster(ExtensionContext context) {
    Cluster cluster = new Cluster(EmbeddedMetaq.start(options).await().atMost(LIMIT), Vertx.vertx());
    return new Opened<>(context.getUniqueId(), cluster, cluster::close);
  }

  /** As {@link #cluster}, but those around are theirs: a test's subscriptions end with it. */
  private MetaqClient client(ExtensionContext context, Cluster cluster) {
    Opened<?> near = context.getStore(namespace).get(MetaqClient.class, Opened.class);
    if (near != null && !near.owner().equals(context.getUniqueId())) {
      context.getStore(namespace).put(MetaqClient.class, openClient(context, cluster));
    }
    return there(context, MetaqClient.class, () -> openClient(context, cluster));
  }

  private static Opened<MetaqClient> openClient(ExtensionContext context, Cluster cluster) {
    MetaqClient client =
        MetaqClient.create(cluster.vertx(), new MetaqClientOptions().setNameServers(cluster.metaq().nameServers()));
    return new Opened<>(context.getUniqueId(), client, () -> client.close().await().atMost(LIMIT));
  }

  private <T> T there(ExtensionContext context, Class<T> type, Supplier<Opened<T>> opening) {
    Opened<?> opened = context.getStore(namespace).getOrComputeIfAbsent(type, ignored -> opening.get(), Opened.class);
    return type.cast(opened.what());
  }

  private void closeWhatIsOf(ExtensionContext context) {
    close(context, MetaqClient.class);
    close(context, Cluster.class);
  }

  private void close(ExtensionContext context, Class<?> type) {
    ExtensionContext.Store store = context.getStore(namespace);
    Opened<?> opened = store.get(type, Opened.class);
    if (opened != null && opened.owner().equals(context.getUniqueId())) {
      store.remove(type);
      opened.end().run();
    }
  }

  /** An embedded cluster and what its clients run on. */
  private record Cluster(EmbeddedMetaq metaq, Vertx vertx) {
    void close() {
      vertx.close().toCompletionStage().toCompletableFuture().join();
      metaq.close().await().atMost(LIMIT);
    }
  }

  /**
   * Something that a context has to close.
   *
   * @param owner unique id of the context
   */
  private record Opened<T>(String owner, T what, Runnable end) {}
}
