package io.metaq.nameserver;

import io.metaq.model.DataVersion;

/** One registered broker, as of the last time it was heard. */
record LiveBroker(
    String brokerName,
    long brokerId,
    String haAddress,
    DataVersion version,
    boolean onLoopback,
    long connectionId,
    long timeoutMs,
    long heardNs) {

  static LiveBroker of(Registration registration, long nowNs) {
    return new LiveBroker(
        registration.brokerName(),
        registration.brokerId(),
        registration.haAddress(),
        registration.body().version(),
        registration.onLoopback(),
        registration.connectionId(),
        registration.timeoutMs(),
        nowNs);
  }

  LiveBroker heard(long nowNs) {
    return new LiveBroker(brokerName, brokerId, haAddress, version, onLoopback, connectionId, timeoutMs, nowNs);
  }

  boolean silent(long nowNs) {
    return nowNs - heardNs > timeoutMs * 1_000_000;
  }
}
