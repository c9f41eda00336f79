package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
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
        List.of("admin"),
        List.of("admin", "topic"),
        List.of("admin", "group"),
        List.of("admin", "message"),
        List.of("admin", "topics", "T"),
        List.of("admin", "topic", "create", "T", "--queues", "0", "--yes"),
        List.of("admin", "topic", "create", "T", "--access", "x", "--yes"),
        List.of("admin", "topic", "delete"),
        List.of("admin", "group", "create", "g", "--retries", "-1", "--yes"),
        List.of("admin", "group", "reset", "g", "-t", "T", "--yes"),
        List.of("admin", "group", "reset", "g", "-t", "T", "--to", "soon", "--yes"),
        List.of("admin", "group", "reset", "g", "-t", "T", "--to", "latest", "--offset", "7", "--yes"),
        List.of("admin", "group", "reset", "g", "-t", "T", "--queue", "0", "--yes"),
        List.of("admin", "message", "find", "-t", "T"),
        List.of("admin", "message", "find", "-t", "T", "--key", "k", "--since", "earliest"),
        List.of("admin", "message", "find", "-t", "T", "--since", "latest"),
        List.of("admin", "message", "find", "-t", "T", "--key", "k", "--count", "0"),
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

  static List<List<String>> changes() {
    return List.of(
        List.of("admin", "topic", "create", "T"),
        List.of("admin", "topic", "delete", "T"),
        List.of("admin", "group", "create", "g"),
        List.of("admin", "group", "delete", "g"),
        List.of("admin", "group", "reset", "g", "-t", "T", "--to", "earliest"),
        List.of("admin", "message", "resend", "7F00000100002A9F0000000000000003"));
  }

  /** Tests have no terminal. */
  @ParameterizedTest
  @MethodSource("changes")
  void shouldEndWithTwoWhereAChangeIsNotConfirmed(List<String> arguments) {
    assertThat(Main.run(arguments.toArray(String[]::new))).isEqualTo(2);
  }

  static List<List<String>> failing() {
    return List.of(
        List.of("admin", "topic", "create", "a b", "-n", "localhost", "--yes"),
        List.of("admin", "group", "create", "a b", "-n", "localhost", "--yes"),
        List.of("admin", "message", "no-id", "-n", "localhost"),
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
  void shouldEndWithOneWhenNoNameServerIsThere() {
    String address = "127.0.0.1:" + FreePorts.next();

    assertThat(Main.run("produce", "-n", address, "-t", "T", "body")).isEqualTo(1);
    assertThat(Main.run("consume", "-n", address, "-t", "T")).isEqualTo(1);
    assertThat(Main.run("bench", "pull", "-n", address)).isEqualTo(1);
    assertThat(Main.run("admin", "-n", address, "topics")).isEqualTo(1);
    assertThat(Main.run("admin", "brokers", "-n", address, "--json")).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("wrongUsage")
  void shouldExplainItself(List<String> arguments) {
    assertThat(Main.run(arguments.get(0), "--help")).isZero();
  }
}
