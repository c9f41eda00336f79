package io.metaq.nameserver;

import io.metaq.codec.registry.RegisterBody;
import java.util.Optional;

/**
 * One REGISTER_BROKER request, decoded.
 *
 * @param timeoutMs silence after which the broker counts as gone
 * @param actingMaster whether a slave may stand in for the master; empty from brokers before 5.0
 * @param onLoopback whether it came over loopback from a broker that may be given to clients on loopback as loopback
 * @param connectionId the connection that carries the broker's life
 */
record Registration(
    BrokerKey key,
    String brokerName,
    long brokerId,
    String haAddress,
    long timeoutMs,
    Optional<Boolean> actingMaster,
    boolean onLoopback,
    long connectionId,
    RegisterBody body) {}
