package io.metaq.coordinator.api;

/**
 * Where the master of this broker's group is, as a name server knew it when this broker registered. Published at
 * {@link io.metaq.bus.BusAddress#MASTER} with the first registration that names a master and whenever that changes.
 *
 * @param broker {@code host:port} it serves requests at
 * @param ha {@code host:port} it sends its commit log from
 */
public record MasterAddress(String broker, String ha) {}
