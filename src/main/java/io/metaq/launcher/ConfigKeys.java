package io.metaq.launcher;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
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

  /** The list that is packed into the jar; read once. */
  public static ConfigKeys load() {
    return Packed.KEYS;
  }

  /**
   * Has the list read on a thread of its own, so that {@link #load} need not wait for all of it when a process comes to its configuration.
   * Only JSON and text are touched there: nothing that logs, so that logging may be set up meanwhile.
   */
  public static void loadAhead() {
    Thread reader = new Thread(ConfigKeys::load, "metaq-config-keys");
    reader.setDaemon(true);
    reader.start();
  }

  /** Who comes first reads it. */
  private static final class Packed {
    private static final ConfigKeys KEYS = read();
  }

  private static ConfigKeys read() {
    try (InputStream in = ConfigKeys.class.getResourceAsStream(RESOURCE); JsonParser json = new JsonFactory().createParser(in)) {
      List<ConfigKey> keys = new ArrayList<>();
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        keys.add(key(members(json)));
      }
      return new ConfigKeys(keys);
    } catch (IOException broken) {
      throw new UncheckedIOException("cannot read " + RESOURCE, broken);
    }
  }

  /** An object of texts, whole numbers, flags, lists of texts and such objects. */
  private static Map<String, Object> members(JsonParser json) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      JsonToken token = json.nextToken();
      if (token == JsonToken.START_OBJECT) {
        members.put(name, members(json));
      } else if (token == JsonToken.START_ARRAY) {
        members.put(name, texts(json));
      } else if (token == JsonToken.VALUE_STRING) {
        members.put(name, json.getText());
      } else {
        members.put(name, token.isBoolean() ? json.getBooleanValue() : json.getLongValue());
      }
    }
    return members;
  }

  private static List<String> texts(JsonParser json) throws IOException {
    List<String> texts = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      texts.add(json.getText());
    }
    return texts;
  }

  @SuppressWarnings("unchecked") // the data file is ours, and a test reads all of it
  private static ConfigKey key(Map<String, Object> members) {
    Set<Component> components = EnumSet.noneOf(Component.class);
    for (String component : (List<String>) members.get("for")) {
      components.add(Component.of(component));
    }
    return new ConfigKey(
        (String) members.get("key"),
        components,
        (String) members.get("section"),
        ValueType.of((String) members.get("type")),
        Optional.ofNullable((String) members.get("default")),
        Optional.ofNullable((String) members.get("unit")),
        "honoured".equals(members.get("status")),
        (String) members.get("text"),
        Optional.ofNullable((String) members.get("alias")),
        (List<String>) members.getOrDefault("values", List.of()),
        (Map<String, String>) members.getOrDefault("refused", Map.of()),
        (long) members.getOrDefault("min", Long.MIN_VALUE),
        (long) members.getOrDefault("max", Long.MAX_VALUE),
        (boolean) members.getOrDefault("secret", false),
        (boolean) members.getOrDefault("live", false));
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
