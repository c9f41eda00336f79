package io.metaq.bus;

/**
 * The other end of a replication as its verticle sees it: a slave of a master, or the master of a slave.
 *
 * @param address {@code host:port}
 * @param following whether the log is sent over it
 * @param acknowledged log position the slave has; -1 before its first report
 * @param sent log position up to which the log was sent, or came
 * @param bytesPerSecond of late
 */
public record ReplicaPeer(String address, boolean following, long acknowledged, long sent, long bytesPerSecond) {}
