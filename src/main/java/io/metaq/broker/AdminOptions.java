package io.metaq.broker;

import io.metaq.model.AddressRanges;

/**
 * What administration tools meet.
 *
 * @param allowedFrom where requests that change things for others may come from ({@code adminAllowedFrom})
 * @param address {@code host:port} the broker is known by
 * @param version of MetaQ, for people
 * @param config the settings, of which some can be changed
 */
public record AdminOptions(AddressRanges allowedFrom, String address, String version, LiveConfig config) {}
