package io.metaq.messaging;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.metaq.model.OwnedBy;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a topic for a channel, as far as it is asked for, on an event loop of the channel's own choosing: its messages come there. */
@OwnedBy("whoever fails; a published note")
final class IncomingChannel {
  private static final Logger log = LoggerFactory.getLogger(IncomingChannel.class);
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

  private final IncomingSettings settings;
  private final MetaqClient client;
  private final Context context;
  private volatile Throwable stoppedBy;

  /** @param context where messages come */
  IncomingChannel(IncomingSettings settings, MetaqClient client, Context context) {
    this.settings = settings;
    this.client = client;
    this.context = context;
  }

  IncomingSettings settings() {
    return settings;
  }

  Readiness readiness() {
    return new Readiness(settings.channel(), client, settings.subscription().topic());
  }

  /** What stopped it for good, or what the application holds up, in words; empty text while it works. Never fails. */
  Uni<String> fault() {
    Throwable cause = stoppedBy;
    return cause != null
        ? Uni.createFrom().item("the channel stopped: " + root(cause))
        : new HeldUp(client, settings.subscription()).fault();
  }

  /** A cluster that cannot be reached yet is waited for. */
  Multi<IncomingMessage> messages() {
    Settling settling =
        new Settling(settings.channel(), settings.failureStrategy(), settings.retryDelay(), this::stopped);
    return client.subscribe(settings.subscription())
        .runSubscriptionOn(task -> context.runOnContext(ignored -> task.run()))
        .onFailure(this::mayPass).retry().withBackOff(SHORTEST_PAUSE, LONGEST_PAUSE).indefinitely()
        .onFailure().invoke(this::stopped)
        .map(delivery -> new IncomingMessage(delivery, settling))
        .plug(StrictMulti::of);
  }

  private boolean mayPass(Throwable failure) {
    boolean passes = failure instanceof MetaqException known && known.retryable();
    if (passes) {
      log.warn("the channel cannot be read yet, it is tried again channel={} cause={}", settings.channel(), failure.getMessage());
    }
    return passes;
  }

  private void stopped(Throwable cause) {
    stoppedBy = cause;
  }

  /** The failure of a method comes in a wrapping that says nothing of it. */
  private static Throwable root(Throwable failure) {
    return failure.getCause() == null ? failure : root(failure.getCause());
  }
}
