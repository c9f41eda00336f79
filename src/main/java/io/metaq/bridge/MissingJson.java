package io.metaq.bridge;

import io.metaq.client.MissingBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Brokers that told nothing, as JSON. A sum that lacks their part is not known: null. */
final class MissingJson {
  private MissingJson() {}

  static JsonArray of(List<MissingBroker> missing) {
    JsonArray array = new JsonArray();
    missing.forEach(broker -> array.add(new JsonObject()
        .put("broker", broker.broker()).put("reason", broker.reason().name()).put("fault", broker.fault())));
    return array;
  }

  /** Whether a broker permits something; null when none of those that told does, for others may. */
  static Boolean any(boolean known, List<MissingBroker> missing) {
    return known || missing.isEmpty() ? (Boolean) known : null;
  }

  /** A sum over all brokers. */
  static Object sum(long known, List<MissingBroker> missing) {
    return missing.isEmpty() ? JsonValues.number(known) : null;
  }
}
