package io.metaq.bus;

/**
 * The other end of a replication as its verticle sees it: a slave of a master, or the master of a slave.
 *
 * @param address {@code host:port}
 * @param following whether the log is sent over it
 * @param acknowledged log position the slave has; -1 before its first report
 * @param sent log position up to which the log was sent, or came
 * @param bytesPerSecond of late
 * @param heardAtMs when it said something last, ms since 1970; 0 when it never did
 */
public record ReplicaPeer(String address, boolean following, long acknowledged, long sent, long bytesPerSecond, long heardAtMs) {
  /** One that was not heard of. */
  public ReplicaPeer(String address, boolean following, long acknowledged, long sent, long bytesPerSecond) {
    this(address, following, acknowledged, sent, bytesPerSecond, 0);
  }
}
