package io.metaq.client;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a broker's log is copied, as the broker itself tells it (GET_BROKER_HA_STATUS).
 *
 * @param followers the slaves that are connected to a master; a slave has none
 * @param source the master of a slave; a master has none
 */
public record ReplicationStatus(List<Follower> followers, Optional<Source> source) {
  public ReplicationStatus {
    followers = List.copyOf(followers);
  }

  /**
   * A slave as its master sees it.
   *
   * @param address {@code host:port} it is connected from
   * @param acknowledgedOffset bytes of the log that it has
   * @param sentOffset bytes of the log that it was sent
   * @param lagBytes what it has still to copy
   * @param inSync whether it is near enough for its acknowledgements to count
   * @param bytesPerSecond at which it gets the log
   * @param lastAnsweredMs when it said something last, ms since 1970; only MetaQ tells
   */
  public record Follower(
      String address, long acknowledgedOffset, long sentOffset, long lagBytes, boolean inSync, long bytesPerSecond,
      OptionalLong lastAnsweredMs) {}

  /**
   * The master as its slave sees it.
   *
   * @param address {@code host:port} of its replication
   * @param connected whether its log comes
   * @param receivedOffset bytes of the log that came
   * @param lagBytes what is still to be copied; empty while the master cannot be asked
   * @param bytesPerSecond at which the log comes
   * @param lastHeardMs when it said something last, ms since 1970
   */
  public record Source(
      String address, boolean connected, long receivedOffset, OptionalLong lagBytes, long bytesPerSecond, OptionalLong lastHeardMs) {}
}
