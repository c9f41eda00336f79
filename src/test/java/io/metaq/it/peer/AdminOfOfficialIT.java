package io.metaq.it.peer;

import io.metaq.it.AdminScenario;
import io.metaq.it.Await;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code metaq admin} with an Apache RocketMQ, which is asked for all of it by the same requests. */
class AdminOfOfficialIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir
  private Path folder;

  @Test
  void shouldAdministerRocketMq() throws Exception {
    try (OfficialServer namesrv = OfficialServer.nameserver(folder.resolve("namesrv"));
        // Else it makes a group anew whenever one of its own clocks asks for it, also one that was just deleted.
        OfficialServer broker = OfficialServer.broker(folder.resolve("broker"), namesrv.address(), "autoCreateSubscriptionGroup=false\n")) {
      Await.until("the official broker is registered", LIMIT, () -> MqadminIT.registered(namesrv.port()));
      new AdminScenario(namesrv.address(), "peer-broker").play();
    }
  }
}
