package io.metaq.launcher;

import io.metaq.broker.LiveConfig;
import io.metaq.broker.LiveOptions;
import io.metaq.model.Clock;
import io.metaq.model.DataVersion;
import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of a running broker. Those that {@code config-keys.json} calls live can be changed; their new values are published
 * to every loop and told to whoever else goes by them. They hold until the process ends: files, environment and command line stay
 * the only places a configuration comes from.
 */
@OwnedBy("its monitor; what it publishes is read by everyone")
final class LiveSettings implements LiveConfig {
  private static final Logger log = LoggerFactory.getLogger(LiveSettings.class);

  private final IntConsumer permission;
  private final Consumer<String> logLevel;
  private final Clock clock;
  private RoomConfig config;
  private volatile LiveOptions options;
  private volatile Map<String, String> shown;
  private volatile DataVersion version = DataVersion.INITIAL;

  /**
   * @param permission hears of another {@code brokerPermission}
   * @param logLevel hears of another {@code logLevel}
   */
  LiveSettings(RoomConfig config, IntConsumer permission, Consumer<String> logLevel, Clock clock) {
    this.permission = permission;
    this.logLevel = logLevel;
    this.clock = clock;
    this.config = config;
    this.options = config.liveOptions();
    this.shown = config.settings().shown();
  }

  /** As they are now. */
  LiveOptions options() {
    return options;
  }

  @Override
  public Map<String, String> shown() {
    return shown;
  }

  @Override
  public DataVersion version() {
    return version;
  }

  @Override
  public synchronized List<Refusal> change(Map<String, String> wished) {
    List<Refusal> refusals = new ArrayList<>();
    List<Setting> changed = new ArrayList<>();
    new TreeMap<>(wished).forEach((name, value) -> {
      Optional<Setting> setting = config.settings().find(name);
      Optional<Refusal> refusal = setting.isEmpty() ? Optional.of(unknown(name)) : refusal(setting.get(), value);
      refusal.ifPresentOrElse(refusals::add, () -> {
        if (!setting.get().shown().equals(value)) {
          changed.add(new Setting(setting.get().key(), Optional.of(value), Origin.REQUEST));
        }
      });
    });
    if (refusals.isEmpty() && !changed.isEmpty()) {
      make(config.with(config.settings().with(changed)));
      changed.forEach(setting -> log.info("a setting was changed, it holds until the process ends key={} value={}",
          setting.key().name(), setting.shown()));
    }
    return refusals;
  }

  private Refusal unknown(String name) {
    String near = Nearest.of(name, shown.keySet()).map(known -> "; did you mean " + known + "?").orElse("");
    return new Refusal("there is no setting '" + name + "'" + near, false);
  }

  private static Optional<Refusal> refusal(Setting setting, String value) {
    ConfigKey key = setting.key();
    if (setting.shown().equals(value)) {
      return Optional.empty();
    }
    if (!key.live()) {
      return Optional.of(new Refusal("'" + key.name() + "' cannot be changed while the broker runs", true));
    }
    return key.type().fault(key, value)
        .map(wanted -> new Refusal("'" + key.name() + "' must be " + wanted + ", not '" + value + "'", false));
  }

  private void make(RoomConfig next) {
    RoomConfig before = config;
    config = next;
    options = next.liveOptions();
    shown = next.settings().shown();
    version = version.next(clock.millis());
    if (next.brokerPermission() != before.brokerPermission()) {
      permission.accept(next.brokerPermission());
    }
    if (!next.logLevel().equals(before.logLevel())) {
      logLevel.accept(next.logLevel());
    }
  }
}
