package io.metaq.broker;

/**
 * What of {@link BrokerOptions} may change while the broker runs; replaced as a whole.
 *
 * @param permission bits of {@link io.metaq.model.Perm} for the whole broker ({@code brokerPermission})
 * @param slaveReads slaves serve pulls, and masters send readers that are far behind to them ({@code slaveReadEnable})
 * @param longPolling hold a pull for as long as it asks; else for {@code shortPollingMs}
 * @param litePull whether code 361 is served ({@code litePullMessageEnable})
 * @param maxPullMessages most messages a pull is answered with ({@code maxTransferCountOnMessageInMemory})
 * @param maxPullBytes bytes after which a pull's answer is full ({@code maxTransferBytesOnMessageInMemory})
 * @param catchUpShare of a loop's time, what readers far behind get while messages come in, per cent ({@code catchUpShare})
 * @param rejectTransactions refuse half messages ({@code rejectTransactionMessage})
 * @param maxQueryResults most messages a query by key is answered with ({@code defaultQueryMaxNum})
 */
public record LiveOptions(
    int permission,
    boolean slaveReads,
    boolean longPolling,
    long shortPollingMs,
    boolean litePull,
    int maxPullMessages,
    int maxPullBytes,
    int catchUpShare,
    boolean rejectTransactions,
    int maxQueryResults) {}
