package io.metaq.launcher;

import io.metaq.bus.LocalBus;
import io.metaq.model.Clock;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The verticles of one descriptor, running: started in its order, stopped in the exact reverse. Both calls block and so belong to
 * threads that are no event loop; {@link #stop} may come from another thread, also while the start is going on.
 */
public final class MetaqProcess {
  private final Descriptor descriptor;
  private final VerticleKinds kinds = new VerticleKinds();
  private final Settings settings;
  private final Clock clock;
  private final Steps steps = new Steps();

  public MetaqProcess(Descriptor descriptor, Settings settings, Clock clock) {
    this.descriptor = descriptor;
    this.settings = settings;
    this.clock = clock;
  }

  /**
   * Starts everything.
   *
   * @return what it listens on
   * @throws StartFailure when a part cannot start; what had started before keeps running until {@link #stop}
   */
  public List<Endpoint> start() {
    Vertx vertx = steps.start("event loops", () -> Future.succeededFuture(vertx(settings)), Vertx::close);
    LocalBus.install(vertx);
    Rooms rooms = new Rooms(vertx, settings, clock);
    for (Descriptor.Entry entry : descriptor.entries()) {
      VerticleKind kind = kinds.of(descriptor, entry);
      DeploymentOptions options = kind.options(descriptor, entry, settings.integer("eventLoops"));
      steps.start(entry.shortName(), () -> vertx.deployVerticle(() -> kind.factory().apply(rooms), options), vertx::undeploy);
    }
    return List.of();
  }

  /**
   * Stops everything, each part after the ones that need it. Once; later calls do nothing.
   *
   * @return whether every part ended well
   */
  public boolean stop() {
    return steps.stop();
  }

  private static Vertx vertx(Settings settings) {
    int blockedTimeMs = settings.integer("eventLoopBlockedTime");
    VertxOptions options =
        new VertxOptions()
            .setEventLoopPoolSize(settings.integer("eventLoops"))
            .setMaxEventLoopExecuteTime(blockedTimeMs).setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
            .setBlockedThreadCheckInterval(blockedTimeMs / 2).setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
            .setPreferNativeTransport(settings.flag("nativeTransport"))
            .setDisableTCCL(true)
            // Nothing is served from the class path, so there is no need for a cache folder.
            .setFileSystemOptions(new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false));
    return Vertx.vertx(options);
  }
}
