package io.metaq.bridge;

import io.metaq.client.ProducerGroup;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Connected producers as JSON. */
final class ProducerJson {
  private ProducerJson() {}

  static JsonObject of(ProducerGroup group) {
    JsonArray clients = new JsonArray();
    group.clients().forEach(client -> clients.add(new JsonObject()
        .put("clientId", client.clientId())
        .put("address", client.address())
        .put("language", client.language())
        .put("version", client.version())
        .put("lastSeenAt", JsonValues.time(client.lastSeenMs()))
        .put("brokers", new JsonArray(client.brokers()))));
    return new JsonObject().put("group", group.group()).put("clients", clients);
  }
}
