package io.metaq.broker;

/**
 * What a broker is and what it permits.
 *
 * @param brokerId 0 for a master; a slave has a greater one
 * @param slaveReads slaves serve pulls, and masters send readers that are far behind to them ({@code slaveReadEnable})
 * @param storeHost the advertised address as records hold it: 4 or 16 bytes of IP, then the port as i32
 * @param permission bits of {@link io.metaq.model.Perm} for the whole broker ({@code brokerPermission})
 * @param maxMessageBytes longest body of a message, and longest body of a batch ({@code maxMessageSize})
 * @param maxDelayLevel highest delay level; higher ones are taken as this
 * @param syncFlush acknowledge after the force ({@code flushDiskType=SYNC_FLUSH})
 * @param flushTimeoutMs a force that takes longer is answered FLUSH_DISK_TIMEOUT ({@code syncFlushTimeout})
 * @param replicas what a message that waits needs of slaves
 * @param longPolling hold a pull for as long as it asks; else for {@code shortPollingMs}
 * @param litePull whether code 361 is served ({@code litePullMessageEnable})
 * @param propertyFilter whether SQL92 filters are evaluated ({@code enablePropertyFilter})
 * @param maxPullMessages most messages a pull is answered with ({@code maxTransferCountOnMessageInMemory})
 * @param maxPullBytes bytes after which a pull's answer is full ({@code maxTransferBytesOnMessageInMemory})
 * @param rejectTransactions refuse half messages ({@code rejectTransactionMessage})
 * @param maxQueryResults most messages a query by key is answered with ({@code defaultQueryMaxNum})
 * @param storeReplies whether replies are stored besides being brought to their clients ({@code storeReplyMessageEnable})
 * @param serverSideReset move groups by sending their readers, rather than by telling members ({@code useServerSideResetOffset})
 * @param standstillMs a connected group that does not get on for so long is told of ({@code consumerStandstillTime})
 */
public record BrokerOptions(
    String clusterName,
    String brokerName,
    long brokerId,
    boolean slaveReads,
    byte[] storeHost,
    String region,
    boolean traceOn,
    int permission,
    int maxMessageBytes,
    int maxDelayLevel,
    boolean syncFlush,
    long flushTimeoutMs,
    ReplicaRules replicas,
    boolean longPolling,
    long shortPollingMs,
    boolean litePull,
    boolean propertyFilter,
    int maxPullMessages,
    int maxPullBytes,
    boolean rejectTransactions,
    int maxQueryResults,
    boolean storeReplies,
    boolean serverSideReset,
    long standstillMs) {
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
}
