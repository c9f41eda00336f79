package io.metaq.bridge;

import io.metaq.model.AddressRanges;
import java.util.List;

/**
 * What a bridge is made with.
 *
 * @param scope what of it is served
 * @param host address to listen on
 * @param nameServers {@code host:port;host:port} of the cluster it serves
 * @param maxBodyBytes longest body of a message
 * @param adminAllowedFrom browsers and programs that may change topics and groups
 * @param origins pages of other origins that may call, {@code https://app.example.com}; {@code *} for all
 * @param hosts names it answers to besides localhost, IP addresses and the name of its machine
 * @param configuration the effective configuration of its process
 */
public record BridgeOptions(
    Scope scope,
    String host,
    int port,
    String nameServers,
    int maxBodyBytes,
    AddressRanges adminAllowedFrom,
    List<String> origins,
    List<String> hosts,
    BridgeLimits limits,
    List<ConfigEntry> configuration) {
  private static final int FRAME_HEADROOM_BYTES = 64 << 10;

  public BridgeOptions {
    origins = List.copyOf(origins);
    hosts = List.copyOf(hosts);
    configuration = List.copyOf(configuration);
  }

  /** How much a process shows over HTTP. */
  public enum Scope {
    /** Everything. */
    CLUSTER,
    /** How a broker is. */
    BROKER_PROBES,
    /** How a name server is, which is ready without any broker. */
    NAME_SERVER_PROBES
  }

  /** One key of the effective configuration, with where its value comes from; secrets are masked already. */
  public record ConfigEntry(String key, String value, String origin) {}

  /** The longest request body and frame: a message in base64, with all that stands around it. */
  int maxFrameBytes() {
    return 2 * maxBodyBytes + FRAME_HEADROOM_BYTES;
  }
}
