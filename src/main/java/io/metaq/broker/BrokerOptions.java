package io.metaq.broker;

import java.util.function.Supplier;

/**
 * What a broker is and what it permits.
 *
 * @param brokerId 0 for a master; a slave has a greater one
 * @param storeHost the advertised address as records hold it: 4 or 16 bytes of IP, then the port as i32
 * @param maxMessageBytes longest body of a message, and longest body of a batch ({@code maxMessageSize})
 * @param maxDelayLevel highest delay level; higher ones are taken as this
 * @param syncFlush acknowledge after the force ({@code flushDiskType=SYNC_FLUSH})
 * @param flushTimeoutMs a force that takes longer is answered FLUSH_DISK_TIMEOUT ({@code syncFlushTimeout})
 * @param replicas what a message that waits needs of slaves
 * @param propertyFilter whether SQL92 filters are evaluated ({@code enablePropertyFilter})
 * @param storeReplies whether replies are stored besides being brought to their clients ({@code storeReplyMessageEnable})
 * @param serverSideReset move groups by sending their readers, rather than by telling members ({@code useServerSideResetOffset})
 * @param standstillMs a connected group that does not get on for so long is told of ({@code consumerStandstillTime})
 * @param timers which messages wait for a time of their own
 * @param live what may change meanwhile, as it is now
 */
public record BrokerOptions(
    String clusterName,
    String brokerName,
    long brokerId,
    byte[] storeHost,
    String region,
    boolean traceOn,
    int maxMessageBytes,
    int maxDelayLevel,
    boolean syncFlush,
    long flushTimeoutMs,
    ReplicaRules replicas,
    boolean propertyFilter,
    boolean storeReplies,
    boolean serverSideReset,
    long standstillMs,
    TimerOptions timers,
    Supplier<LiveOptions> live) {
  /** The id of a master. */
  static final long MASTER_ID = 0;

  /** Whether a message that waits is not answered when it is appended. */
  public boolean acknowledgesLater() {
    return syncFlush || replicas.needed() > 0;
  }

  /** Whether the broker copies a master and takes no messages itself. */
  boolean slave() {
    return brokerId != MASTER_ID;
  }

  int permission() {
    return live.get().permission();
  }

  boolean slaveReads() {
    return live.get().slaveReads();
  }

  boolean longPolling() {
    return live.get().longPolling();
  }

  long shortPollingMs() {
    return live.get().shortPollingMs();
  }

  int catchUpShare() {
    return live.get().catchUpShare();
  }

  boolean litePull() {
    return live.get().litePull();
  }

  int maxPullMessages() {
    return live.get().maxPullMessages();
  }

  int maxPullBytes() {
    return live.get().maxPullBytes();
  }

  boolean rejectTransactions() {
    return live.get().rejectTransactions();
  }

  int maxQueryResults() {
    return live.get().maxQueryResults();
  }
}
