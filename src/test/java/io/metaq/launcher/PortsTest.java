package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 10911, 10911, 8080, listenPort, haListenPort",
    "10911, 10911, 10912, 8080, namesrvListenPort, listenPort",
    "10912, 10911, 10912, 8080, namesrvListenPort, haListenPort",
    "0, 10911, 10909, 8080, haListenPort, VIP channel",
    "10909, 10911, 10912, 8080, namesrvListenPort, VIP channel",
    "9876, 10911, 10912, 9876, namesrvListenPort, httpPort"
  })
  void shouldRefuseTwoServersOnOnePort(int nameServer, int broker, int replication, int http, String first, String second) {
    assertThatThrownBy(() -> new Ports(nameServer, broker, replication, http))
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll(first, second);
  }

  @Test
  void shouldHaveNothingAgainstPortsThatNobodyUses() {
    assertThat(new Ports(9876, 0, 0, 0).of("namesrvListenPort")).isEqualTo(9876);
    assertThat(new Ports(9876, 10911, 10912, 0).of("haListenPort")).isEqualTo(10912);
    assertThat(new Ports(0, 1, 2, 3).of("listenPort")).isEqualTo(1);
    assertThat(new Ports(0, 1, 2, 3).of("httpPort")).isEqualTo(3);
  }
}
