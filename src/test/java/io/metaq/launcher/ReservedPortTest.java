package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ReservedPortTest {
  private static final String HOST = "127.0.0.1";

  @Test
  void shouldHoldThePortBelowSoThatItIsNobodyElses() throws Exception {
    try (ReservedPort reserved = ReservedPort.withOneBelow(HOST, 2)) {
      for (int port : new int[] {reserved.port(), reserved.port() - 2}) {
        assertThatIOException().as("another").isThrownBy(() -> listen(port, false));
        listen(port, true).close();
      }
    }
  }

  /** The first of which one is two below another comes among some hundred. */
  @Test
  void shouldNeverGiveAPortThatIsHeldBelowAnother() throws Exception {
    List<ReservedPort> all = new ArrayList<>();
    try {
      Set<Integer> ports = new HashSet<>();
      for (int i = 0; i < 300; i++) {
        ReservedPort pair = ReservedPort.withOneBelow(HOST, 2);
        ReservedPort single = ReservedPort.of(HOST, 0);
        all.addAll(List.of(pair, single));
        assertThat(ports.add(pair.port()) && ports.add(pair.port() - 2) && ports.add(single.port())).as("after %d", i).isTrue();
      }
    } finally {
      for (ReservedPort reserved : all) {
        reserved.close();
      }
    }
  }

  private static ServerSocket listen(int port, boolean reuse) throws Exception {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(reuse);
      server.bind(new InetSocketAddress(InetAddress.getByName(HOST), port));
      return server;
    } catch (Exception failure) {
      server.close();
      throw failure;
    }
  }
}
