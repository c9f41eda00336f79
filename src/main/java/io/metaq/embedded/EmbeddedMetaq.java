package io.metaq.embedded;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A MetaQ cluster inside this JVM, for tests: the name server and brokers of production. It runs on Vert.x
 * instances of its own, so a test that blocks its event loop does not stop the broker, and leaves the JVM alone otherwise: no signal
 * handler, no exit, no set-up of logging. Nothing but this machine can reach it.
 *
 * <pre>{@code
 * EmbeddedMetaq metaq = EmbeddedMetaq.start().await().indefinitely();
 * MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(metaq.nameServers()));
 * ...
 * metaq.close().await().indefinitely();
 * }</pre>
 *
 * <p>Safe from any thread. Results come on the subscriber's Vert.x context when it has one. A test that does not close it leaves threads
 * and a folder behind; {@link EmbeddedMetaqExtension} closes it by itself.
 */
public final class EmbeddedMetaq {
  private final String nameServers;
  private final Path folder;
  private final Uni<Void> closing;

  private EmbeddedMetaq(String nameServers, Path folder, Processes processes) {
    this.nameServers = nameServers;
    this.folder = folder;
    this.closing = Uni.createFrom().<Void>emitter(emitter -> inThread("metaq-embedded-close", null, emitter, () -> {
      processes.stop();
      emitter.complete(null);
    })).memoize().indefinitely();
  }

  /** Starts a cluster of one broker in a temporary folder, anew for each subscription. */
  public static Uni<EmbeddedMetaq> start() {
    return start(EmbeddedMetaqOptions.defaults());
  }

  /**
   * Starts a cluster, anew for each subscription. It is ready when it is given. Whoever cancels before that gets it closed; one that
   * cannot start leaves nothing behind and fails with an {@link EmbeddedMetaqException}.
   */
  public static Uni<EmbeddedMetaq> start(EmbeddedMetaqOptions options) {
    return Uni.createFrom().emitter(emitter -> {
      Context caller = Vertx.currentContext();
      AtomicBoolean taken = new AtomicBoolean();
      emitter.onTermination(() -> taken.set(true));
      inThread("metaq-embedded-start", caller, emitter, () -> {
        EmbeddedMetaq metaq = started(options);
        run(caller, () -> hand(metaq, emitter, taken));
      });
    });
  }

  /** {@code host:port} of the name server, as clients of MetaQ and of RocketMQ take it. */
  public String nameServers() {
    return nameServers;
  }

  /** Where its data is. */
  public Path folder() {
    return folder;
  }

  /** Stops it, each part in order, and removes a temporary folder. Later calls complete when the first does. */
  public Uni<Void> close() {
    return Uni.createFrom().deferred(() -> {
      Context caller = Vertx.currentContext();
      return caller == null ? closing : closing.emitOn(task -> run(caller, task));
    });
  }

  private static EmbeddedMetaq started(EmbeddedMetaqOptions options) {
    VertxCheck.require5();
    DataFolder folder = DataFolder.of(options.folder());
    Processes processes = new Processes(options, folder);
    try {
      return new EmbeddedMetaq(processes.start(), folder.path(), processes);
    } catch (RuntimeException failure) {
      processes.stop();
      throw failure;
    }
  }

  /** Gives it away, or closes it when nobody wants it any more. */
  private static void hand(EmbeddedMetaq metaq, UniEmitter<? super EmbeddedMetaq> emitter, AtomicBoolean taken) {
    if (taken.compareAndSet(false, true)) {
      emitter.complete(metaq);
    } else {
      metaq.closing.subscribe().with(closed -> {});
    }
  }

  private static void run(Context caller, Runnable task) {
    if (caller == null) {
      task.run();
    } else {
      caller.runOnContext(ignored -> task.run());
    }
  }

  /** Starting and stopping block, which no thread of the caller's must. */
  private static void inThread(String name, Context caller, UniEmitter<?> emitter, Runnable work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (RuntimeException | LinkageError failure) {
        run(caller, () -> emitter.fail(typed(failure)));
      }
    }, name);
    thread.setDaemon(true);
    thread.start();
  }

  private static EmbeddedMetaqException typed(Throwable failure) {
    return failure instanceof EmbeddedMetaqException typed
        ? typed
        : EmbeddedMetaqException.startFailed("an embedded cluster cannot start: " + failure.getMessage(), failure);
  }
}
