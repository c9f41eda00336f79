package io.metaq.coordinator.api;

import java.util.List;

/**
 * Answer to a {@link Heartbeat}, sent after every loop was told what changed.
 *
 * @param subscriptionsWanted true when the client should send its full subscriptions next time (extension {@code IS_SUB_CHANGE})
 * @param refusals why it is no member of some of its groups, a sentence for each; the rest of the heartbeat counts
 */
public record HeartbeatAnswer(boolean subscriptionsWanted, List<String> refusals) {
  public HeartbeatAnswer {
    refusals = List.copyOf(refusals);
  }
}
