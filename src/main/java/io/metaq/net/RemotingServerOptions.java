package io.metaq.net;

import io.metaq.model.Clock;

/**
 * How a {@link RemotingServer} listens and what it lets a peer hold.
 *
 * @param host address to listen on
 * @param port 0 for any free one; several servers on one port share it, each with a part of the connections
 * @param maxFrameBytes longest frame accepted, its length field included
 * @param idleTimeoutMs a connection on which nothing moved for so long is closed
 * @param unsentLimitBytes answers a peer may leave untaken before its requests are no longer read; they are again from half of it on
 * @param stalledTimeoutMs a peer that stays above that limit, or does not finish a big frame or a close, for so long is dropped
 * @param maxConnections connections this server holds at a time; further ones are closed at once
 * @param clock for all deadlines
 */
public record RemotingServerOptions(
    String host,
    int port,
    int maxFrameBytes,
    long idleTimeoutMs,
    int unsentLimitBytes,
    long stalledTimeoutMs,
    int maxConnections,
    Clock clock) {
  /** By default, how much a peer may leave untaken. */
  public static final int UNSENT_LIMIT_BYTES = 1024 * 1024;
  private static final long STALLED_TIMEOUT_MS = 30_000;
  private static final int MAX_CONNECTIONS = 20_000;

  /** The protocol's limits, and room for small processes. */
  public static RemotingServerOptions of(String host, int port) {
    return new RemotingServerOptions(host, port, WireLimits.MAX_FRAME_BYTES, WireLimits.IDLE_TIMEOUT_MS, UNSENT_LIMIT_BYTES,
        STALLED_TIMEOUT_MS, MAX_CONNECTIONS, Clock.system());
  }

  public RemotingServerOptions withPort(int value) {
    return new RemotingServerOptions(host, value, maxFrameBytes, idleTimeoutMs, unsentLimitBytes, stalledTimeoutMs, maxConnections,
        clock);
  }

  public RemotingServerOptions withMaxFrameBytes(int value) {
    return new RemotingServerOptions(host, port, value, idleTimeoutMs, unsentLimitBytes, stalledTimeoutMs, maxConnections, clock);
  }

  public RemotingServerOptions withIdleTimeoutMs(long value) {
    return new RemotingServerOptions(host, port, maxFrameBytes, value, unsentLimitBytes, stalledTimeoutMs, maxConnections, clock);
  }

  public RemotingServerOptions withUnsentLimit(int limitBytes, long timeoutMs) {
    return new RemotingServerOptions(host, port, maxFrameBytes, idleTimeoutMs, limitBytes, timeoutMs, maxConnections, clock);
  }

  public RemotingServerOptions withMaxConnections(int value) {
    return new RemotingServerOptions(host, port, maxFrameBytes, idleTimeoutMs, unsentLimitBytes, stalledTimeoutMs, value, clock);
  }

  public RemotingServerOptions withClock(Clock value) {
    return new RemotingServerOptions(host, port, maxFrameBytes, idleTimeoutMs, unsentLimitBytes, stalledTimeoutMs, maxConnections,
        value);
  }

  WireLimits limits() {
    return new WireLimits(maxFrameBytes, idleTimeoutMs, unsentLimitBytes, stalledTimeoutMs);
  }
}
