package io.metaq.broker;

/**
 * What is wrong with the connected groups of this broker, in figures.
 *
 * @param contradicting groups whose members want different things
 * @param standingQueues queues with messages in which a group has not got on for {@code consumerStandstillTime}
 */
record GroupHealth(int contradicting, int standingQueues) {
  static final GroupHealth GOOD = new GroupHealth(0, 0);
}
