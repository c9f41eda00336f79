package io.metaq.coordinator;

import io.vertx.core.net.HostAndPort;
import java.util.List;

/**
 * What a broker says about itself to its name servers, and when.
 *
 * @param address {@code ip:port} where clients reach the broker
 * @param haAddress {@code ip:port} where slaves reach it
 * @param loopback whether clients on this machine may be given the loopback address instead; not when the address was set
 * @param permission whether the whole broker may be read and written, bits of {@link io.metaq.model.Perm}; no topic has more
 * @param nameServers all of them are registered at; host names are looked up at each connect
 * @param compressed whether the topic table is sent packed
 * @param periodMs how often the whole table is registered when nothing changes
 * @param timeoutMs how long a name server may take to answer
 */
public record RegistrationOptions(
    String cluster,
    String brokerName,
    long brokerId,
    String address,
    String haAddress,
    boolean loopback,
    int permission,
    List<HostAndPort> nameServers,
    boolean compressed,
    long periodMs,
    long timeoutMs) {
  public static final long DEFAULT_PERIOD_MS = 30_000;
  public static final long DEFAULT_TIMEOUT_MS = 24_000;

  private static final long SHORTEST_PERIOD_MS = 10_000;
  private static final long LONGEST_PERIOD_MS = 60_000;

  public RegistrationOptions {
    nameServers = List.copyOf(nameServers);
  }

  /** A configured period, brought within 10 to 60 s: a name server forgets a broker after 120 s. */
  public static long boundedPeriodMs(long configuredMs) {
    return Math.max(SHORTEST_PERIOD_MS, Math.min(LONGEST_PERIOD_MS, configuredMs));
  }
}
