package io.metaq.it.wire;

import io.metaq.it.AdminScenario;
import io.metaq.it.BrokerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code metaq admin} as a person uses it. */
@Execution(ExecutionMode.CONCURRENT)
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
