package io.metaq.embedded;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an embedded cluster shall be like. Immutable; each fluent call gives a new one.
 *
 * <pre>{@code
 * EmbeddedMetaqOptions.defaults().brokers(2).setting("autoCreateTopicEnable", "false")
 * }</pre>
 *
 * @param folder where the data is and stays; empty for a temporary folder that is removed at the end
 * @param brokers how many, all of them masters; at least 1
 * @param settings by the keys of docs/configuration.md, for every broker and the name server; the environment counts for nothing
 */
public record EmbeddedMetaqOptions(Optional<Path> folder, int brokers, Map<String, String> settings) {
  private static final String ROOT_KEY = "storePathRootDir";

  public EmbeddedMetaqOptions {
    if (brokers < 1) {
      throw new IllegalArgumentException("an embedded cluster has at least 1 broker, not " + brokers);
    }
    if (settings.containsKey(ROOT_KEY)) {
      throw new IllegalArgumentException("the folder of the data is set by folder(...), not by " + ROOT_KEY);
    }
    settings = Map.copyOf(settings);
  }

  /** One broker, in a temporary folder. */
  public static EmbeddedMetaqOptions defaults() {
    return new EmbeddedMetaqOptions(Optional.empty(), 1, Map.of());
  }

  /** Data in this folder, which is kept: a cluster that is started there later goes on with it, at other ports. */
  public EmbeddedMetaqOptions folder(Path kept) {
    return new EmbeddedMetaqOptions(Optional.of(kept), brokers, settings);
  }

  /** So many brokers that all clients of the cluster see, under names of their own. */
  public EmbeddedMetaqOptions brokers(int count) {
    return new EmbeddedMetaqOptions(folder, count, settings);
  }

  /** One setting, as {@code -D key=value} of the command line. */
  public EmbeddedMetaqOptions setting(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(settings);
    more.put(key, value);
    return new EmbeddedMetaqOptions(folder, brokers, more);
  }
}
