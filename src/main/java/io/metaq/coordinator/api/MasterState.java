package io.metaq.coordinator.api;

/**
 * How a slave stands with its master, told to every loop of the slave.
 *
 * @param address {@code host:port} of the master, empty as long as no name server has named one
 * @param reachable whether the master answers this slave
 */
public record MasterState(String address, boolean reachable) {
  /** Before anything is known. */
  public static final MasterState UNKNOWN = new MasterState("", false);
}
