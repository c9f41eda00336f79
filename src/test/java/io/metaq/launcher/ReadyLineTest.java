package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReadyLineTest {
  private static final long START_NS = 940_000_000;

  @Test
  void shouldNameEachAddressInOneLine() {
    List<Endpoint> endpoints = List.of(new Endpoint("name server", "10.0.0.1", 9876), new Endpoint("broker", "fe80::1", 10911));

    assertThat(ReadyLine.of(endpoints, START_NS, ""))
        .isEqualTo("MetaQ ready: name server 10.0.0.1:9876, broker [fe80::1]:10911 (after 0.94 s)");
  }

  @Test
  void shouldEndWithWhatTheUserShouldKnow() {
    assertThat(ReadyLine.of(List.of(new Endpoint("broker", "10.0.0.1", 10911)), START_NS, "set it"))
        .isEqualTo("MetaQ ready: broker 10.0.0.1:10911 (after 0.94 s); set it");
  }
}
