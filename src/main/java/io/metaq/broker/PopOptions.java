package io.metaq.broker;

/**
 * What pops may ask for, and how consumers are given queues by the broker.
 *
 * @param maxInvisibleMs for how long a message may be invisible at most ({@code timerMaxDelaySec}, because RocketMQ keeps check
 *     points among its timers)
 * @param balances whether the broker shares queues out among the members of a group, or gives all to everybody
 *     ({@code serverLoadBalancerEnable})
 * @param popByDefault whether groups that nothing was set for pop ({@code defaultMessageRequestMode=POP}) instead of pulling
 * @param defaultShare with how many members after him a member of such a group shares his queues, below 1: all with all
 *     ({@code defaultPopShareQueueNum})
 */
public record PopOptions(long maxInvisibleMs, boolean balances, boolean popByDefault, int defaultShare) {}
