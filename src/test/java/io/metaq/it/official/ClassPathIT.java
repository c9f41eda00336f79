package io.metaq.it.official;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.rocketmq.common.MQVersion;
import org.junit.jupiter.api.Test;

/** Guards the build itself: each execution must run the client version it names, with that version's own Netty. */
class ClassPathIT {

  @Test
  void shouldRunTheClientVersionThisExecutionNames() throws Exception {
    String name = MQVersion.Version.values()[MQVersion.CURRENT_VERSION].name();

    assertThat(name).isEqualTo("V" + System.getProperty("official.version").replace('.', '_'));
    assertThat(Class.forName("io.netty.channel.Channel").getProtectionDomain().getCodeSource().getLocation().getPath())
        .doesNotContain("metaq").contains("4.1.");
  }
}
