package io.metaq.coordinator.api;

/**
 * A connected client, for people and for whoever wants to send it something.
 *
 * @param loop number of the loop that has its connection
 * @param connectionId the connection's number there
 * @param remote {@code ip:port}
 * @param seenAtMs when its last heartbeat came
 */
public record ClientInfo(
    int loop, long connectionId, String clientId, String remote, String language, int version, long seenAtMs) {}
