package io.metaq.bridge;

import io.metaq.client.BrokerStatus;
import io.metaq.client.ReplicationStatus;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** How brokers are, as JSON; what is not known is null. */
final class StatusJson {
  private StatusJson() {}

  static JsonObject of(BrokerStatus status) {
    return new JsonObject()
        .put("cluster", status.broker().cluster())
        .put("name", status.broker().name())
        .put("id", status.broker().id())
        .put("role", status.broker().master() ? "MASTER" : "SLAVE")
        .put("address", status.broker().address())
        .put("reachable", status.broker().fault().isEmpty())
        .put("fault", status.broker().fault().orElse(null))
        .put("version", status.broker().figures().get("brokerVersionDesc"))
        .put("upSince", JsonValues.time(status.upSinceMs()))
        .put("storedPerSecond", JsonValues.decimal(status.throughput().stored()))
        .put("readPerSecond", JsonValues.decimal(status.throughput().read()))
        .put("storedBytesPerSecond", JsonValues.decimal(status.throughput().storedBytes()))
        .put("readBytesPerSecond", JsonValues.decimal(status.throughput().readBytes()))
        .put("sendLatencyMs", latency(status.sendLatency()))
        .put("storedToday", JsonValues.number(status.totals().storedToday()))
        .put("storedYesterday", JsonValues.number(status.totals().storedYesterday()))
        .put("readToday", JsonValues.number(status.totals().readToday()))
        .put("readYesterday", JsonValues.number(status.totals().readYesterday()))
        .put("refusedMessages", JsonValues.number(status.refusedMessages()))
        .put("disk", new JsonObject()
            .put("usedRatio", JsonValues.decimal(status.disk().usedRatio()))
            .put("freeBytes", JsonValues.number(status.disk().freeBytes()))
            .put("totalBytes", JsonValues.number(status.disk().totalBytes())))
        .put("log", log(status.log()))
        .put("memory", new JsonObject()
            .put("heapUsedBytes", JsonValues.number(status.memory().heapUsedBytes()))
            .put("heapMaxBytes", JsonValues.number(status.memory().heapMaxBytes())))
        .put("clients", new JsonObject()
            .put("producers", JsonValues.number(status.clients().producers()))
            .put("consumers", JsonValues.number(status.clients().consumers())))
        .put("waitingTimers", JsonValues.number(status.waitingTimers()))
        .put("standingQueues", JsonValues.number(status.standingQueues()))
        .put("contradictingGroups", JsonValues.number(status.contradictingGroups()))
        .put("replication", status.replication().map(StatusJson::replication).orElse(null));
  }

  private static JsonObject latency(BrokerStatus.Latency latency) {
    return new JsonObject()
        .put("p50", JsonValues.decimal(latency.p50()))
        .put("p99", JsonValues.decimal(latency.p99()))
        .put("p999", JsonValues.decimal(latency.p999()))
        .put("max", JsonValues.decimal(latency.max()));
  }

  private static JsonObject log(BrokerStatus.Log log) {
    return new JsonObject()
        .put("minOffset", JsonValues.number(log.minOffset()))
        .put("maxOffset", JsonValues.number(log.maxOffset()))
        .put("earliestStoredAt", JsonValues.time(log.earliestStoredMs()))
        .put("dispatchLagBytes", JsonValues.number(log.dispatchLagBytes()))
        .put("unflushedBytes", JsonValues.number(log.unflushedBytes()));
  }

  private static JsonObject replication(ReplicationStatus replication) {
    JsonArray followers = new JsonArray();
    replication.followers().forEach(follower -> followers.add(new JsonObject()
        .put("address", follower.address())
        .put("acknowledgedOffset", JsonValues.number(follower.acknowledgedOffset()))
        .put("sentOffset", JsonValues.number(follower.sentOffset()))
        .put("lagBytes", JsonValues.number(follower.lagBytes()))
        .put("inSync", follower.inSync())
        .put("bytesPerSecond", JsonValues.number(follower.bytesPerSecond()))
        .put("lastAnsweredAt", JsonValues.time(follower.lastAnsweredMs()))));
    return new JsonObject()
        .put("followers", followers)
        .put("master", replication.source().map(StatusJson::master).orElse(null));
  }

  private static JsonObject master(ReplicationStatus.Source master) {
    return new JsonObject()
        .put("address", master.address())
        .put("connected", master.connected())
        .put("receivedOffset", JsonValues.number(master.receivedOffset()))
        .put("lagBytes", JsonValues.number(master.lagBytes()))
        .put("bytesPerSecond", JsonValues.number(master.bytesPerSecond()))
        .put("lastHeardAt", JsonValues.time(master.lastHeardMs()));
  }
}
