package io.metaq.it.wire;

import io.metaq.it.AdminScenario;
import io.metaq.it.BrokerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code metaq admin} as a person uses it. */
class AdminCommandIT {
  @TempDir
  private Path folder;

  @Test
  void shouldAdministerMetaQ() throws Exception {
    try (BrokerProcess metaq =
        BrokerProcess.standalone(folder).key("brokerName", "b0").key("brokerIP1", "127.0.0.1").start()) {
      new AdminScenario(metaq.namesrv(), "b0").play();
    }
  }
}
