package io.metaq.coordinator;

/**
 * How pops are served.
 *
 * @param brokerName stands in check points and handles
 * @param reviveTopic the topic of check points and acknowledgements
 * @param reviveQueues how many queues it has ({@code reviveQueueNum})
 * @param waitingOfQueue most pops that wait for one queue of a group, or for any of a topic ({@code popPollingSize})
 * @param waitingInAll most pops that wait ({@code maxPopPollingSize})
 * @param retryFirstPercent how often a pop looks at the group's retry topic first ({@code popFromRetryProbability})
 * @param maxCheckpoints most check points in flight; beyond that nothing is popped ({@code popCkMaxBufferSize})
 * @param maxBytes bytes after which the answer to a pop is full
 * @param syncFlush whether nobody is answered before what is noted of it is on disk
 */
public record PopRules(
    String brokerName,
    String reviveTopic,
    int reviveQueues,
    int waitingOfQueue,
    long waitingInAll,
    int retryFirstPercent,
    int maxCheckpoints,
    int maxBytes,
    boolean syncFlush) {
  /** Group under which the progress of the revive log is kept: RocketMQ's name for it. */
  static final String REVIVE_GROUP = "CID_RMQ_SYS_REVIVE_GROUP";

  /** Least number of records in a revive queue behind a check point before it is written anew. */
  private static final int LEAST_SPAN = 32_768;

  /** A check point this many records behind the end of its queue is written anew, so that a restart need not read from there. */
  int span() {
    return Math.max(LEAST_SPAN, 4 * maxCheckpoints / reviveQueues);
  }
}
