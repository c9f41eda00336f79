package io.metaq.client;

import java.util.Set;

/**
 * What all sendings of one client share.
 *
 * @param paused those that wait for another attempt
 */
record SendParts(
    Home home,
    Links links,
    RouteCache routes,
    QueueChooser chooser,
    BrokerHealth health,
    RetryPolicy policy,
    Backoff backoff,
    InFlight inFlight,
    Packing packing,
    Set<Sending<?>> paused,
    long requestTimeoutMs,
    long sendTimeoutMs) {}
