package io.metaq.launcher;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every configuration key there is, read from {@code config-keys.json}: the one list documentation and reading are made from. */
public final class ConfigKeys {
  private static final String RESOURCE = "config-keys.json";

  private final Map<String, ConfigKey> byName;
  private final Map<String, ConfigKey> byAlias;

  private ConfigKeys(List<ConfigKey> keys) {
    byName = new LinkedHashMap<>();
    byAlias = new LinkedHashMap<>();
    for (ConfigKey key : keys) {
      byName.put(key.name(), key);
      key.alias().ifPresent(alias -> byAlias.put(alias, key));
    }
  }

  /** Reads the list that is packed into the jar. */
  public static ConfigKeys load() {
    try (InputStream in = ConfigKeys.class.getResourceAsStream(RESOURCE)) {
      JsonArray array = new JsonArray(Buffer.buffer(in.readAllBytes()));
      List<ConfigKey> keys = new ArrayList<>(array.size());
      for (int i = 0; i < array.size(); i++) {
        keys.add(key(array.getJsonObject(i)));
      }
      return new ConfigKeys(keys);
    } catch (IOException broken) {
      throw new UncheckedIOException("cannot read " + RESOURCE, broken);
    }
  }

  private static ConfigKey key(JsonObject json) {
    Set<Component> components = EnumSet.noneOf(Component.class);
    for (Object component : json.getJsonArray("for")) {
      components.add(Component.of((String) component));
    }
    Map<String, String> refused = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : json.getJsonObject("refused", new JsonObject())) {
      refused.put(entry.getKey(), (String) entry.getValue());
    }
    return new ConfigKey(
        json.getString("key"),
        components,
        json.getString("section"),
        ValueType.of(json.getString("type")),
        Optional.ofNullable(json.getString("default")),
        Optional.ofNullable(json.getString("unit")),
        json.getString("status").equals("honoured"),
        json.getString("text"),
        Optional.ofNullable(json.getString("alias")),
        json.getJsonArray("values", new JsonArray()).stream().map(String.class::cast).toList(),
        refused,
        json.getLong("min", Long.MIN_VALUE),
        json.getLong("max", Long.MAX_VALUE),
        json.getBoolean("secret", false),
        json.getBoolean("live", false));
  }

  /** In the order of the data file. */
  public Collection<ConfigKey> all() {
    return List.copyOf(byName.values());
  }

  /** The key a process of these components means by {@code name}; its own keys come before aliases, then those of other components. */
  Optional<ConfigKey> find(String name, Set<Component> process) {
    ConfigKey direct = byName.get(name);
    if (direct != null && direct.isFor(process)) {
      return Optional.of(direct);
    }
    ConfigKey aliased = byAlias.get(name);
    if (aliased != null && aliased.isFor(process)) {
      return Optional.of(aliased);
    }
    return Optional.ofNullable(direct);
  }

  /** The known key that looks most like {@code name}, when one is near enough to be meant. */
  Optional<String> nearest(String name, Set<Component> process) {
    return Nearest.of(name, byName.values().stream().filter(key -> key.isFor(process)).map(ConfigKey::name).toList());
  }
}
