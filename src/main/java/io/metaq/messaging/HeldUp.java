package io.metaq.messaging;

import io.metaq.client.MemberStatus;
import io.metaq.client.MetaqClient;
import io.metaq.client.Subscription;
import io.metaq.model.Topics;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.Set;

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

  /** What the member's queues of the topic tell, and of its retry topic, where it may be a message of another topic of the group. */
  String words(MemberStatus status) {
    Set<String> topics = Set.of(subscription.topic(), Topics.retryOf(status.group()));
    return status.queues().stream()
        .filter(queue -> topics.contains(queue.queue().topic()))
        .flatMap(queue -> queue.stuck().stream().map(stuck -> "the message at " + stuck.queueOffset() + " of " + queue.queue()
            + " has been neither acknowledged nor refused for " + stuck.sinceMs() + " ms and holds up its queue"))
        .findFirst()
        .orElse("");
  }
}
