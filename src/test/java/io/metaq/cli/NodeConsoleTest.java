package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NodeConsoleTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void shouldPutTheNamesOfNodesInAColumn() {
    NodeConsole console = console(false);

    console.line(0, "nameserver", "one");
    console.line(1, "broker-a", "two");
    console.announce("three");

    assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly("nameserver | one", "broker-a   | two", "metaq: three");
  }

  @Test
  void shouldColourTheNameAloneOnATerminal() {
    NodeConsole console = console(true);

    console.line(0, "nameserver", "one");
    console.line(6, "nameserver", "one");

    assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly(
        "\u001b[36mnameserver | \u001b[0mone", "\u001b[36mnameserver | \u001b[0mone");
  }

  private NodeConsole console(boolean coloured) {
    return new NodeConsole(new PrintStream(out, true, StandardCharsets.UTF_8), coloured, "nameserver".length());
  }
}
