package io.metaq.broker;

import io.metaq.model.AddressRanges;
import java.util.Map;

/**
 * What administration tools meet.
 *
 * @param allowedFrom where requests that change things for others may come from ({@code adminAllowedFrom})
 * @param address {@code host:port} the broker is known by
 * @param version of MetaQ, for people
 * @param shownConfig every effective setting, secrets masked
 */
public record AdminOptions(AddressRanges allowedFrom, String address, String version, Map<String, String> shownConfig) {
  public AdminOptions {
    shownConfig = Map.copyOf(shownConfig);
  }
}
