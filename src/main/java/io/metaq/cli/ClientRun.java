package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.launcher.Logging;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Model.CommandSpec;

/** Runs what a command does with a client: opens and closes it, and tells a failure as one sentence. */
final class ClientRun {
  /** For the last requests to brokers, some of them one after the other, each with a time limit of its own of 3 s. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(15);

  /** Whoever interrupts a command does not want to wait for long. */
  private static final Duration INTERRUPTED_CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final Duration VERTX_CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;

  /** What a command does. Blocks as long as it takes. */
  interface Action {
    /**
     * Does it.
     *
     * @throws MetaqException when the cluster refuses
     * @throws CommandFailure when input or output fails
     */
    void run(MetaqClient client, Interruption interruption);
  }

  /** What is done in any case at the end. */
  private interface Closing extends AutoCloseable {
    @Override
    void close();
  }

  private ClientRun() {}

  /** Returns the exit status: 0, or 1 after a sentence on standard error. */
  static int run(CommandSpec spec, ClientOptions options, Action action) {
    Logging.level("WARN");
    PrintWriter err = spec.commandLine().getErr();
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    try (Interruption interruption = Interruption.listen()) {
      int status = act(vertx, err, options, interruption, action);
      spec.commandLine().getOut().flush();
      err.flush();
      interruption.finished(status);
      return status;
    }
  }

  private static int act(Vertx vertx, PrintWriter err, ClientOptions options, Interruption interruption, Action action) {
    try {
      MetaqClient client = MetaqClient.create(vertx, options.clientOptions());
      // Of two failures the first is told.
      try (Closing end = () -> close(client, interruption)) {
        action.run(client, interruption);
      }
      return SUCCESS;
    } catch (MetaqException | CommandFailure failure) {
      err.println("metaq: " + failure.getMessage());
    } finally {
      closeVertx(vertx);
    }
    return FAILURE;
  }

  private static void close(MetaqClient client, Interruption interruption) {
    Duration limit = interruption.requested() ? INTERRUPTED_CLOSE_LIMIT : CLOSE_LIMIT;
    try {
      client.close().await().atMost(limit);
    } catch (io.smallrye.mutiny.TimeoutException late) {
      throw new CommandFailure("the brokers did not answer within " + limit.toSeconds()
          + " s at the end, so that what a group consumed last may be delivered again");
    }
  }

  private static void closeVertx(Vertx vertx) {
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(VERTX_CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | CompletionException | TimeoutException ignored) {
      // the process ends anyway
    }
  }
}
