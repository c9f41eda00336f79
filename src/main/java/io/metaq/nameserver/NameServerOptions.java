package io.metaq.nameserver;

import io.metaq.model.AddressRanges;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of one name server.
 *
 * @param host address to listen on
 * @param port 0 for any free one
 * @param kvConfigPath file of the key-value table; made at the first change
 * @param scanPeriodMs how often silent brokers are looked for
 * @param adminAllowedFrom who may send requests that change things for others
 * @param switches the state at start of what may be switched later
 * @param shownConfig every effective setting as text, secrets masked, for request 319
 */
public record NameServerOptions(
    String host,
    int port,
    Path kvConfigPath,
    long scanPeriodMs,
    AddressRanges adminAllowedFrom,
    NameServerSwitches switches,
    Map<String, String> shownConfig) {
  public static final long DEFAULT_SCAN_PERIOD_MS = 5_000;

  public NameServerOptions {
    shownConfig = Map.copyOf(shownConfig);
  }

  /** Defaults but for where it listens and keeps its file. */
  public static NameServerOptions on(String host, int port, Path kvConfigPath) {
    return new NameServerOptions(
        host, port, kvConfigPath, DEFAULT_SCAN_PERIOD_MS, AddressRanges.LOOPBACK, NameServerSwitches.DEFAULTS, Map.of());
  }
}
