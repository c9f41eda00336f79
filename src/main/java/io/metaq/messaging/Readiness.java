package io.metaq.messaging;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqException;
import io.smallrye.mutiny.Uni;
import java.time.Duration;

/** Asks whether a channel's cluster can be reached: name servers have told a route of the topic, or that there is none yet. */
record Readiness(String channel, MetaqClient client, String topic) {
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** What keeps the channel from working, in words, after 2 s at most; empty text when nothing does. Never fails. */
  Uni<String> fault() {
    return client.queues(topic)
        .map(queues -> "")
        .ifNoItem().after(LIMIT).recoverWithItem(() -> "the route of topic '" + topic + "' is not known after " + LIMIT.toSeconds() + " s")
        .onFailure().recoverWithItem(Readiness::words);
  }

  private static String words(Throwable failure) {
    boolean noTopicYet = failure instanceof MetaqException known && known.reason() == MetaqException.Reason.NO_ROUTE;
    return noTopicYet ? "" : String.valueOf(failure.getMessage());
  }
}
