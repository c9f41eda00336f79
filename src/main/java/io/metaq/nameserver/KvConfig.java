package io.metaq.nameserver;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The key-value table that survives restarts. Changes are made one after the other; each is visible, and its future completes, when
 * it is on disk. A change that cannot be written did not happen.
 */
@OwnedBy("NameServerVerticle")
final class KvConfig {
  /** Namespace of the queue order of topics: topic to {@code broker:queues;broker:queues}. */
  static final String ORDER_TOPICS = "ORDER_TOPIC_CONFIG";

  private final Vertx vertx;
  private final KvConfigFile file;
  /** Replaced, never changed. */
  private Map<String, Map<String, String>> namespaces;
  private Future<Void> tail = Future.succeededFuture();

  private KvConfig(Vertx vertx, KvConfigFile file, Map<String, Map<String, String>> namespaces) {
    this.vertx = vertx;
    this.file = file;
    this.namespaces = namespaces;
  }

  static Future<KvConfig> load(Vertx vertx, KvConfigFile file) {
    return vertx.executeBlocking(file::read).map(namespaces -> new KvConfig(vertx, file, namespaces));
  }

  Optional<String> get(String namespace, String key) {
    return namespace(namespace).map(table -> table.get(key));
  }

  /** One whole namespace, not to be changed. */
  Optional<Map<String, String>> namespace(String namespace) {
    return Optional.ofNullable(namespaces.get(namespace));
  }

  Future<Void> put(String namespace, String key, String value) {
    return change(namespace, table -> {
      table.put(key, value);
      return table;
    });
  }

  /** Deletes a key; what is not there is deleted already. */
  Future<Void> delete(String namespace, String key) {
    return change(namespace, table -> {
      table.remove(key);
      return table;
    });
  }

  /** Completes when every change asked for so far has been written or has failed. */
  Future<Void> settled() {
    return tail;
  }

  private Future<Void> change(String namespace, UnaryOperator<Map<String, String>> change) {
    Future<Void> done = tail.compose(earlier -> {
      Map<String, Map<String, String>> next = new LinkedHashMap<>(namespaces);
      next.put(namespace, change.apply(new LinkedHashMap<>(namespaces.getOrDefault(namespace, Map.of()))));
      return vertx.executeBlocking(() -> {
        file.write(next);
        return next;
      }).<Void>map(written -> {
        namespaces = written;
        return null;
      });
    });
    tail = done.otherwiseEmpty();
    return done;
  }
}
