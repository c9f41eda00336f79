package io.metaq.coordinator;

/**
 * How far a slave's master is with its timers.
 *
 * @param readTimeMs everything that is due before it has been delivered
 * @param phyOffset in front of this position of the commit log
 */
record MasterTimers(long readTimeMs, long phyOffset) {
  /** Where the slave's timers hear of it. */
  static final String ADDRESS = "metaq.timers.master";
}
