package io.metaq.launcher;

import io.metaq.model.Clock;
import io.metaq.store.StoreOptions;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The part of a broker's configuration that a tool needs to read the broker's store. */
public final class StoreSettings {
  private static final Logger log = LoggerFactory.getLogger(StoreSettings.class);

  private StoreSettings() {}

  /**
   * The options a broker with this configuration opens its store with.
   *
   * @throws StartFailure for the first bad or refused value
   */
  public static StoreOptions of(List<Source> sources) {
    SettingsReader.Result configuration = new SettingsReader(ConfigKeys.load(), Set.of(Component.BROKER)).read(sources);
    configuration.remarks().forEach(remark -> log.warn("configuration: {}", remark));
    return new RoomConfig(configuration.settings(), Clock.system(), Ports.NONE).store();
  }
}
