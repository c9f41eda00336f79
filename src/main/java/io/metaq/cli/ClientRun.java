package io.metaq.cli;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.launcher.Logging;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Model.CommandSpec;

/** Runs what a command does with a client: opens and closes it, and tells a failure as one sentence. */
final class ClientRun {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  private static final int SUCCESS = 0;
  private static final int FAILURE = 1;

  /** What a command does. Blocks as long as it takes. */
  interface Action {
    /**
     * Does it.
     *
     * @throws IOException when input or output fails
     * @throws MetaqException when the cluster refuses
     */
    void run(MetaqClient client, Interruption interruption) throws IOException;
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
      try {
        action.run(client, interruption);
      } finally {
        client.close().await().atMost(CLOSE_LIMIT);
      }
      return SUCCESS;
    } catch (MetaqException | CommandFailure failure) {
      err.println("metaq: " + failure.getMessage());
    } catch (IOException failure) {
      err.println("metaq: " + (failure.getMessage() == null ? "reading or writing failed" : failure.getMessage()));
    } catch (io.smallrye.mutiny.TimeoutException late) {
      err.println("metaq: the brokers did not answer within " + CLOSE_LIMIT.toSeconds() + " s at the end");
    } finally {
      closeVertx(vertx);
    }
    return FAILURE;
  }

  private static void closeVertx(Vertx vertx) {
    try {
      vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (java.util.concurrent.ExecutionException | CompletionException | TimeoutException ignored) {
      // the process ends anyway
    }
  }
}
