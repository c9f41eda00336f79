package io.metaq.launcher;

import io.metaq.model.BrokerRole;
import java.util.List;
import java.util.Set;

/** What a process with a broker alone runs: that depends on the broker's role. */
public final class BrokerDescriptor {
  private BrokerDescriptor() {}

  /**
   * The packed descriptor of the role that is configured.
   *
   * @throws StartFailure for the first bad or refused value
   */
  public static Descriptor of(List<Source> sources) {
    Settings settings = new SettingsReader(ConfigKeys.load(), Set.of(Component.BROKER)).read(sources).settings();
    boolean slave = BrokerRole.valueOf(settings.text("brokerRole")) == BrokerRole.SLAVE;
    return Descriptor.packed(slave ? "broker-slave" : "broker-master");
  }
}
