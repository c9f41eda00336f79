package io.metaq.bridge;

import io.metaq.client.BrokerInfo;
import io.metaq.client.MetaqClient;
import io.metaq.client.MissingBroker;
import io.metaq.client.ProducerGroup;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * {@code /v1/cluster}, {@code /v1/stats}, {@code /v1/producers} and {@code /v1/config}: the brokers as they describe themselves, who sends
 * to them, and how this process is configured.
 */
final class ClusterEndpoints {
  private final MetaqClient client;
  private final List<BridgeOptions.ConfigEntry> configuration;

  ClusterEndpoints(MetaqClient client, List<BridgeOptions.ConfigEntry> configuration) {
    this.client = client;
    this.configuration = configuration;
  }

  Future<Answer> cluster(Asked asked) {
    return Unis.list(client.admin().brokers()).map(brokers -> {
      JsonArray array = new JsonArray();
      brokers.forEach(broker -> array.add(broker(new BrokerView(broker, brokers))));
      return Answer.ok(new JsonObject().put("brokers", array));
    });
  }

  /** All that brokers tell of how they are. */
  Future<Answer> stats(Asked asked) {
    return Unis.future(client.admin().statuses()).map(statuses -> {
      JsonArray array = new JsonArray();
      statuses.forEach(status -> array.add(StatusJson.of(status)));
      return Answer.ok(new JsonObject().put("brokers", array));
    });
  }

  Future<Answer> producers(Asked asked) {
    return Unis.list(client.admin().producers()).map(groups -> {
      JsonArray array = new JsonArray();
      groups.forEach(group -> array.add(ProducerJson.of(group)));
      return Answer.ok(new JsonObject().put("groups", array)
          .put("missing", MissingJson.of(MissingBroker.ofAny(groups, ProducerGroup::missing))));
    });
  }

  Future<Answer> config(Asked asked) {
    JsonObject settings = new JsonObject();
    configuration.forEach(entry -> settings.put(entry.key(), new JsonObject().put("value", entry.value()).put("origin", entry.origin())));
    return Future.succeededFuture(Answer.ok(new JsonObject().put("settings", settings)));
  }

  /** What is not known is null. */
  private static JsonObject broker(BrokerView view) {
    BrokerInfo broker = view.broker();
    return new JsonObject()
        .put("cluster", broker.cluster())
        .put("name", broker.name())
        .put("id", broker.id())
        .put("role", broker.master() ? "MASTER" : "SLAVE")
        .put("address", broker.address())
        .put("reachable", broker.fault().isEmpty())
        .put("fault", broker.fault().orElse(null))
        .put("version", view.text("brokerVersionDesc").orElse(null))
        .put("storedPerSecond", view.rate("putTps").orElse(null))
        .put("readPerSecond", view.rate("getTransferredTps").orElse(null))
        .put("diskUsedRatio", view.decimal("commitLogDiskRatio").orElse(null))
        .put("logMinOffset", view.whole("commitLogMinOffset").map(JsonValues::number).orElse(null))
        .put("logMaxOffset", view.whole("commitLogMaxOffset").map(JsonValues::number).orElse(null))
        .put("replicationLagBytes", view.lagBytes().map(JsonValues::number).orElse(null));
  }
}
