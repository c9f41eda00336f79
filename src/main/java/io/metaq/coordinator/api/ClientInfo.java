package io.metaq.coordinator.api;

/**
 * A connected client, for people.
 *
 * @param remote {@code ip:port}
 * @param seenAtMs when its last heartbeat came
 */
public record ClientInfo(String clientId, String remote, String language, int version, long seenAtMs) {}
