package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 10911, 10911, listenPort, haListenPort",
    "10911, 10911, 10912, namesrvListenPort, listenPort",
    "10912, 10911, 10912, namesrvListenPort, haListenPort",
    "0, 10911, 10909, haListenPort, VIP channel",
    "10909, 10911, 10912, namesrvListenPort, VIP channel"
  })
  void shouldRefuseTwoServersOnOnePort(int nameServer, int broker, int replication, String first, String second) {
    assertThatThrownBy(() -> new Ports(nameServer, broker, replication))
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll(first, second);
  }

  @Test
  void shouldHaveNothingAgainstPortsThatNobodyUses() {
    assertThat(new Ports(9876, 0, 0).of("namesrvListenPort")).isEqualTo(9876);
    assertThat(new Ports(9876, 10911, 10912).of("haListenPort")).isEqualTo(10912);
    assertThat(new Ports(0, 1, 2).of("listenPort")).isEqualTo(1);
  }
}
