package io.metaq.launcher;

import io.metaq.broker.BrokerVerticle;
import io.metaq.bus.LocalBus;
import io.metaq.coordinator.RegistrationVerticle;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.store.MessageStore;
import io.metaq.store.NewBeginning;
import io.metaq.store.StoreException;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The verticles of one descriptor, running: begun in its order, stopped in the exact reverse. Both calls block and so belong to
 * threads that are no event loop; {@link #stop} may come from another thread, also while the start is going on.
 */
@OwnedBy("the thread that starts it")
public final class MetaqProcess {
  private static final Logger log = LoggerFactory.getLogger(MetaqProcess.class);

  private static final int REGISTRATION_LIMIT_S = 10;
  private static final int HTTP_PORT = 8080;

  private final Descriptor descriptor;
  private final Settings settings;
  private final Clock clock;
  private final Host host;
  private final Steps steps = new Steps();
  /** Where it listens, once that is decided. */
  private Optional<Ports> ports;

  /**
   * @param host expected to call {@link #stop} after a fatal failure, {@link #begunAnew} when a log has to begin anew
   */
  public MetaqProcess(Descriptor descriptor, Settings settings, Clock clock, Host host) {
    this(descriptor, settings, clock, host, Optional.empty());
  }

  private MetaqProcess(Descriptor descriptor, Settings settings, Clock clock, Host host, Optional<Ports> ports) {
    this.descriptor = descriptor;
    this.settings = settings;
    this.clock = clock;
    this.host = host;
    this.ports = ports;
  }

  /**
   * Starts everything.
   *
   * @return what it listens on
   * @throws StartFailure when a part cannot start; what had started before keeps running until {@link #stop}
   */
  public List<Endpoint> start() {
    int loops = settings.integer("eventLoops");
    SocketTransport transport = SocketTransport.of(settings.text("nativeTransport"));
    log.info("sockets transport={}", transport.name());
    Vertx vertx = steps.start("event loops", () -> Future.succeededFuture(vertx(loops, transport)), Vertx::close);
    LocalBus.install(vertx);
    Ports listening = ports.orElseGet(this::reserve);
    ports = Optional.of(listening);
    RoomConfig config = new RoomConfig(settings, clock, listening);
    if (settings.has("brokerId")) {
      config.identityRemark().ifPresent(remark -> log.warn("configuration: {}", remark));
    }
    Rooms rooms = new Rooms(vertx, config, loops, clock, host);
    startVerticles(vertx, rooms, listening, loops);
    rooms.registrar().ifPresent(registrar -> awaitRegistration(config, registrar));
    return config.endpoints();
  }

  private void startVerticles(Vertx vertx, Rooms rooms, Ports listening, int loops) {
    Deployments deployments = new Deployments(vertx, steps, rooms, (kind, failure) -> failed(kind, listening, failure));
    boolean inDoubt = false;
    try {
      for (Descriptor.Entry entry : descriptor.entries()) {
        VerticleKind kind = VerticleKinds.of(descriptor, entry);
        DeploymentOptions options = kind.options(descriptor, entry, loops);
        if (kind.store() && !rooms.hasStore()) {
          if (inDoubt) {
            // No folder is made and no store recovered for a process that will not run.
            deployments.awaitAll();
          }
          steps.start("store", () -> openStore(rooms), MetaqProcess::closeStore);
        }
        inDoubt |= !rooms.hasStore() && looksTaken(kind, listening);
        deployments.begin(kind, options);
      }
      if (listening.http() != 0 && !hasBridge()) {
        deployments.begin(VerticleKinds.probes(), new DeploymentOptions());
      }
    } finally {
      // Also when something else failed: what was begun before comes first.
      deployments.awaitAll();
    }
  }

  private boolean looksTaken(VerticleKind kind, Ports listening) {
    return kind.portKey().filter(key -> !ReservedPort.looksFree(settings.text("bindAddress"), listening.of(key))).isPresent();
  }

  /** A broker is ready when a name server knows it; one that none answers serves all the same, and goes on trying. */
  private static void awaitRegistration(RoomConfig config, RegistrationVerticle registrar) {
    if (config.registration().nameServers().isEmpty()) {
      log.warn("no name server is configured (namesrvAddr, -n): clients that ask one will not find this broker");
      return;
    }
    try {
      registrar.registered().toCompletionStage().toCompletableFuture().get(REGISTRATION_LIMIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException nobodyAnswered) {
      log.warn("no name server has taken the registration yet; the broker serves and goes on trying states={}", registrar.states());
    } catch (ExecutionException | InterruptedException failure) {
      throw new StartFailure("the broker could not register: " + rootMessage(failure), failure);
    }
  }

  /**
   * Stops everything, each part before the ones it needs. Once; later calls do nothing.
   *
   * @return whether every part ended well
   */
  public boolean stop() {
    return steps.stop();
  }

  /**
   * Stops everything and orders that the log begins anew at {@code position}: the next start, on the same ports, does it.
   *
   * @return what is to be started then
   * @throws StartFailure when the log cannot begin there
   */
  MetaqProcess begunAnew(long position) {
    stop();
    try {
      NewBeginning.order(new RoomConfig(settings, clock, Ports.NONE).store(), position);
    } catch (StoreException failure) {
      throw new StartFailure(failure.getMessage(), failure);
    }
    return new MetaqProcess(descriptor, settings, clock, host, ports);
  }

  private StartFailure failed(VerticleKind kind, Ports ports, RuntimeException failure) {
    return kind.portKey().flatMap(key -> portFailure(kind, key, ports.of(key), failure)).or(() -> fileFailure(failure)).orElseGet(
        () -> new StartFailure(kind.name() + " cannot start: " + rootMessage(failure), failure));
  }

  /** A port that cannot be had, told by its key. */
  private Optional<StartFailure> portFailure(VerticleKind kind, String key, int port, Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketException || isNativeBindFailure(cause)) {
        return Optional.of(new StartFailure("the " + kind.component().orElseThrow().words() + " cannot listen on "
            + settings.text("bindAddress") + " port " + port + " (" + key + "): " + afterLastColon(cause.getMessage()), failure));
      }
    }
    return Optional.empty();
  }

  /** A file that cannot be used, told by the key of the folder it is in. */
  private static Optional<StartFailure> fileFailure(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FileSystemException) {
        return Optional.of(new StartFailure("storePathRootDir (--data) cannot be used: " + cause.getMessage(), failure));
      }
    }
    return Optional.empty();
  }

  /** The native transports have an exception of their own, whose text starts with the system call. */
  private static boolean isNativeBindFailure(Throwable cause) {
    return cause instanceof IOException && cause.getMessage() != null && cause.getMessage().startsWith("bind(");
  }

  private static String afterLastColon(String message) {
    return message == null ? "the system gives no reason" : message.substring(message.lastIndexOf(": ") + 1).trim();
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage() == null ? root.toString() : root.getMessage();
  }

  private Future<MessageStore> openStore(Rooms rooms) {
    try {
      return Future.succeededFuture(rooms.openStore());
    } catch (StoreException failure) {
      throw new StartFailure("storePathRootDir (--data): " + failure.getMessage(), failure);
    }
  }

  private static Future<Void> closeStore(MessageStore store) {
    store.close();
    return Future.succeededFuture();
  }

  private Ports reserve() {
    int brokerPort = brokerPort();
    return new Ports(reserve("namesrvListenPort"), brokerPort, replicationPort(brokerPort), httpPort());
  }

  /** One that is left to us has the port of older clients free, too. */
  private int brokerPort() {
    if (!settings.has("listenPort") || settings.integer("listenPort") != 0) {
      return reserve("listenPort");
    }
    return reserve("listenPort", host -> ReservedPort.withOneBelow(host, BrokerVerticle.VIP_PORT_DISTANCE));
  }

  /** The port of a key, a free one where any will do; 0 when this process has no such key. */
  private int reserve(String key) {
    return settings.has(key) ? reserve(key, 0) : 0;
  }

  /** @param otherwise the port when none is configured */
  private int reserve(String key, int otherwise) {
    int wanted = settings.optional(key).map(Integer::parseInt).orElse(otherwise);
    return reserve(key, host -> ReservedPort.of(host, wanted));
  }

  private int reserve(String key, Reservation reservation) {
    return steps.start(key, () -> Future.succeededFuture(reserved(reservation)), this::giveBack).port();
  }

  /** Behind the broker's port, unless that was left to us: then its neighbour may be anybody's. */
  private int replicationPort(int brokerPort) {
    if (brokerPort == 0) {
      return 0;
    }
    boolean chosen = settings.optional("haListenPort").isPresent();
    return chosen || settings.integer("listenPort") == 0 ? reserve("haListenPort") : brokerPort + 1;
  }

  /** A bridge has one; other processes only when they are given one. */
  private int httpPort() {
    boolean wanted = hasBridge() || settings.optional("httpPort").isPresent();
    return wanted ? reserve("httpPort", HTTP_PORT) : 0;
  }

  private boolean hasBridge() {
    return descriptor.entries().stream().anyMatch(Descriptor.Entry::isBridge);
  }

  private interface Reservation {
    ReservedPort on(String host) throws IOException;
  }

  private ReservedPort reserved(Reservation reservation) {
    try {
      return reservation.on(settings.text("bindAddress"));
    } catch (IOException | RuntimeException unusable) {
      throw new StartFailure("no port can be had on bindAddress=" + settings.text("bindAddress") + ": " + rootMessage(unusable), unusable);
    }
  }

  private Future<Void> giveBack(ReservedPort reserved) {
    try {
      reserved.close();
      return Future.succeededFuture();
    } catch (IOException failure) {
      return Future.failedFuture(failure);
    }
  }

  private Vertx vertx(int loops, SocketTransport transport) {
    int blockedTimeMs = settings.integer("eventLoopBlockedTime");
    return Vertx.builder().withTransport(transport.vertx()).with(
        new VertxOptions()
            .setEventLoopPoolSize(loops)
            .setMaxEventLoopExecuteTime(blockedTimeMs).setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
            .setBlockedThreadCheckInterval(blockedTimeMs / 2).setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
            .setWarningExceptionTime(blockedTimeMs).setWarningExceptionTimeUnit(TimeUnit.MILLISECONDS)
            .setDisableTCCL(true)
            // Nothing is served from the class path, so there is no need for a cache folder.
            .setFileSystemOptions(new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)))
        .build();
  }
}
