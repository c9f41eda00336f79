package io.metaq.coordinator;

import io.vertx.core.net.HostAndPort;

/**
 * How a broker stands with one of its name servers.
 *
 * @param registeredAtMs when it last said yes, 0 never; a name server forgets a silent broker after 120 s
 * @param fault what is wrong at present, as a clause; empty when nothing is
 */
public record NameServerState(HostAndPort server, Phase phase, long registeredAtMs, String fault) {
  /** Where the link is. */
  public enum Phase {
    /** A connection is being made. */
    CONNECTING,
    /** Connected; the first registration over this connection has not been answered. */
    REGISTERING,
    /** This connection carries a registration. */
    REGISTERED,
    /** Connected, but the last registration was refused; the next try comes by itself. */
    REFUSED,
    /** The last try failed; the next one comes by itself. */
    WAITING,
    /** Left for good. */
    STOPPED
  }
}
