package io.metaq.launcher;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The effective configuration of a process, checked and immutable. The launcher makes the rooms' records of it; no room sees it.
 * Asking for a key that is not honoured is a bug and throws.
 */
public final class Settings {
  private final Map<String, Setting> settings;

  /** By key name, in the order in which they are to be shown. */
  Settings(Map<String, Setting> settings) {
    this.settings = settings;
  }

  public Collection<Setting> all() {
    return settings.values();
  }

  /** Every effective value by its key, secrets masked. */
  Map<String, String> shown() {
    Map<String, String> shown = new LinkedHashMap<>();
    settings.values().forEach(setting -> shown.put(setting.key().name(), setting.shown()));
    return shown;
  }

  /** A key that a process of these components has, honoured or not. */
  Optional<Setting> find(String name) {
    return Optional.ofNullable(settings.get(name));
  }

  /** The same with other values for some keys. */
  Settings with(Collection<Setting> changed) {
    Map<String, Setting> all = new LinkedHashMap<>(settings);
    changed.forEach(setting -> all.put(setting.key().name(), setting));
    return new Settings(all);
  }

  /** Whether a process of these components has the key. */
  boolean has(String name) {
    return settings.containsKey(name);
  }

  /** One key with its origin. */
  public Setting setting(String name) {
    Setting setting = settings.get(name);
    if (setting == null || !setting.key().honoured()) {
      throw new IllegalArgumentException("not a key this process honours: " + name);
    }
    return setting;
  }

  /** Empty when the default depends on the machine, or the value is empty text. */
  public Optional<String> optional(String name) {
    return setting(name).value().filter(text -> !text.isEmpty());
  }

  public String text(String name) {
    return optional(name).orElse("");
  }

  public int integer(String name) {
    return Integer.parseInt(text(name));
  }

  public long number(String name) {
    return Long.parseLong(text(name));
  }

  public boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  public Path path(String name) {
    return Path.of(text(name));
  }
}
