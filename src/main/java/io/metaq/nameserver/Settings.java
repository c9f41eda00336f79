package io.metaq.nameserver;

import io.metaq.model.OwnedBy;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What may be changed while the name server runs, as it is now: the switches, and how much the process logs. */
@OwnedBy("NameServerVerticle")
final class Settings {
  static final String LOG_LEVEL = "logLevel";
  /** What {@link #LOG_LEVEL} may be. */
  static final Set<String> LOG_LEVELS = Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");

  private final Map<String, String> fixed;
  private final Consumer<String> logLevel;
  private NameServerSwitches switches;
  private String level;

  /**
   * @param fixed every setting as the process began with it
   * @param logLevel hears of another {@link #LOG_LEVEL}
   */
  Settings(NameServerSwitches switches, Map<String, String> fixed, Consumer<String> logLevel) {
    this.switches = switches;
    this.fixed = fixed;
    this.logLevel = logLevel;
    level = fixed.getOrDefault(LOG_LEVEL, "INFO");
  }

  NameServerSwitches switches() {
    return switches;
  }

  String logLevel() {
    return level;
  }

  void change(NameServerSwitches changed, String changedLevel) {
    switches = changed;
    if (!level.equals(changedLevel)) {
      level = changedLevel;
      logLevel.accept(changedLevel);
    }
  }

  /** Every setting by key. */
  Map<String, String> shown() {
    Map<String, String> shown = new TreeMap<>(fixed);
    shown.putAll(switches.shown());
    shown.put(LOG_LEVEL, level);
    return shown;
  }
}
