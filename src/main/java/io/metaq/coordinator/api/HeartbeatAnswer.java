package io.metaq.coordinator.api;

/**
 * Answer to a {@link Heartbeat}, sent after every loop was told what changed.
 *
 * @param subscriptionsWanted true when the client should send its full subscriptions next time (extension {@code IS_SUB_CHANGE})
 */
public record HeartbeatAnswer(boolean subscriptionsWanted) {}
