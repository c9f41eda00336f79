package io.metaq.messaging;

import io.metaq.client.MemberStatus;
import io.metaq.client.MetaqClient;
import io.metaq.client.Subscription;
import io.smallrye.mutiny.Uni;
import java.time.Duration;

/**
 * Asks whether a message that a channel handed out is neither acknowledged nor refused for too long: the progress of its queue stands still,
 * and nobody but the application can go on.
 */
record HeldUp(MetaqClient client, Subscription subscription) {
  private static final Duration LIMIT = Duration.ofSeconds(2);

  /** What is held up, in words, after 2 s at most; empty text when nothing is, or nobody knows. Never fails. */
  Uni<String> fault() {
    return subscription.group()
        .map(group -> client.membership(group).status().map(this::words).ifNoItem().after(LIMIT).recoverWithItem("")
            .onFailure().recoverWithItem(""))
        .orElseGet(() -> Uni.createFrom().item(""));
  }

  private String words(MemberStatus status) {
    return status.queues().stream()
        .filter(queue -> queue.queue().topic().equals(subscription.topic()))
        .flatMap(queue -> queue.stuck().stream().map(stuck -> "the message at " + stuck.queueOffset() + " of " + queue.queue()
            + " is neither acknowledged nor refused for " + stuck.sinceMs() + " ms and holds up its queue"))
        .findFirst()
        .orElse("");
  }
}
