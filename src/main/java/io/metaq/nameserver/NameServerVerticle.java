package io.metaq.nameserver;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.metaq.net.FrameHandler;
import io.metaq.net.InboundFrame;
import io.metaq.net.RemotingServer;
import io.metaq.net.RemotingServerOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A name server on one event loop: it owns the {@link RouteTable}, the {@link KvConfig} and all connections, so whatever two
 * requests do happens one after the other. A broker is gone at once when its connection closes, and after its own time of silence.
 */
@OwnedBy("itself")
public final class NameServerVerticle extends VerticleBase implements FrameHandler {
  private static final Logger log = LoggerFactory.getLogger(NameServerVerticle.class);

  private final NameServerOptions options;
  private final Consumer<String> logLevel;
  private final Clock clock;
  private final RouteTable routes;
  private final RequestHandlers handlers = new RequestHandlers();
  private KvConfig config;
  private RemotingServer server;
  private long scanTimer = -1;
  /** For other threads, once the verticle is deployed. */
  private volatile int port;

  /**
   * @param logLevel hears that an administrator wants another {@code logLevel}
   */
  public NameServerVerticle(NameServerOptions options, Consumer<String> logLevel, Clock clock) {
    this.options = options;
    this.logLevel = logLevel;
    this.clock = clock;
    this.routes = new RouteTable(clock);
  }

  /** The port it listens on, once it is deployed. */
  public int port() {
    return port;
  }

  @Override
  public Future<?> start() {
    return KvConfig.load(vertx, new KvConfigFile(options.kvConfigPath())).compose(loaded -> {
      config = loaded;
      addHandlers();
      RemotingServerOptions listening = RemotingServerOptions.of(options.host(), options.port()).withClock(clock);
      return RemotingServer.listen(vertx, listening, this);
    }).onSuccess(listening -> {
      server = listening;
      port = server.port();
      scanTimer = vertx.setPeriodic(options.scanPeriodMs(), tick -> expire());
      log.info("name server listens host={} port={} kvConfigPath={}", options.host(), port, options.kvConfigPath());
    });
  }

  private void addHandlers() {
    Settings settings = new Settings(options.switches(), options.shownConfig(), logLevel);
    new KvHandlers(config).join(handlers);
    new RegistrationHandlers(routes, config, settings).join(handlers);
    new RouteHandlers(routes, config, settings).join(handlers);
    new TopicListHandlers(routes, settings).join(handlers);
    new AdminHandlers(routes, settings).join(handlers);
  }

  /** Completes when the last change of the key-value table is on disk. */
  @Override
  public Future<?> stop() {
    vertx.cancelTimer(scanTimer);
    Future<Void> closed = server == null ? Future.succeededFuture() : server.close();
    return closed.transform(ended -> config == null ? Future.succeededFuture() : config.settled());
  }

  @Override
  public void opened(Connection connection) {
    log.debug("connected remote={}", connection.remote());
  }

  @Override
  public void request(Connection connection, InboundFrame frame) {
    boolean oneway = frame.oneway();
    handlers.handle(request(connection, frame.command())).onSuccess(answer -> {
      if (!oneway && connection.isOpen()) {
        connection.write(answer);
      }
    });
  }

  private NameServerRequest request(Connection connection, RemotingCommand command) {
    byte[] host = connection.remoteBytes();
    return new NameServerRequest(
        command,
        connection.id(),
        connection.remote(),
        AddressRanges.LOOPBACK.containsHost(host),
        options.adminAllowedFrom().containsHost(host));
  }

  @Override
  public void closed(Connection connection) {
    List<BrokerKey> gone = routes.connectionClosed(connection.id());
    gone.forEach(key -> log.warn("a broker's connection ended, it is no longer shown cluster={} address={} remote={}",
        key.cluster(), key.address(), connection.remote()));
  }

  private void expire() {
    for (RouteTable.Expired expired : routes.expire()) {
      log.warn("a broker was silent too long, it is no longer shown cluster={} address={}",
          expired.key().cluster(), expired.key().address());
      close(expired.connectionId());
    }
  }

  /** So that a broker that still lives notices, and registers anew. */
  private void close(long connectionId) {
    for (Connection connection : List.copyOf(server.connections())) {
      if (connection.id() == connectionId) {
        connection.close("its broker was silent too long");
      }
    }
  }
}
