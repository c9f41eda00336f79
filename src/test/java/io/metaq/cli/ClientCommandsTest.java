package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Exit statuses of the commands that talk to a cluster. */
class ClientCommandsTest {
  static List<List<String>> wrongUsage() {
    return List.of(
        List.of("produce", "body"),
        List.of("produce", "-t", "T", "--file", "f", "body"),
        List.of("produce", "-t", "T", "--lines"),
        List.of("consume"),
        List.of("consume", "-t", "T", "--count", "0"),
        List.of("consume", "-t", "T", "--from", "yesterday"),
        List.of("consume", "-t", "T", "--filter-type", "regex"),
        List.of("bench"),
        List.of("bench", "jump"),
        List.of("bench", "send", "--size", "-1"),
        List.of("bench", "send", "--rate", "-1"),
        List.of("bench", "e2e", "--size", "15"),
        List.of("bench", "pull", "--batch", "0"));
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void shouldEndWithTwoAfterWrongUsage(List<String> arguments) {
    assertThat(Main.run(arguments.toArray(String[]::new))).isEqualTo(2);
  }

  static List<List<String>> failing() {
    return List.of(
        List.of("produce", "-n", "nonsense:port", "-t", "T", "body"),
        List.of("produce", "-n", "localhost", "-t", "a/b", "body"),
        List.of("produce", "-n", "localhost", "-t", "T", "--file", "/no/such/file"),
        List.of("consume", "-n", "localhost", "-t", "a b"),
        List.of("consume", "-n", "localhost", "-t", "T", "--filter", "a ="),
        List.of("consume", "-n", "localhost", "-t", "T", "--filter", "a || b", "--filter-type", "sql"));
  }

  @ParameterizedTest
  @MethodSource("failing")
  void shouldEndWithOneWhenTheActionFails(List<String> arguments) {
    assertThat(Main.run(arguments.toArray(String[]::new))).isEqualTo(1);
  }

  @Test
  void shouldEndWithOneWhenNoNameServerIsThere() throws IOException {
    String address = "127.0.0.1:" + freePort();

    assertThat(Main.run("produce", "-n", address, "-t", "T", "body")).isEqualTo(1);
    assertThat(Main.run("consume", "-n", address, "-t", "T")).isEqualTo(1);
    assertThat(Main.run("bench", "pull", "-n", address)).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void shouldExplainItself(List<String> arguments) {
    assertThat(Main.run(arguments.get(0), "--help")).isZero();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
