package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTextTest {
  private final StringWriter printed = new StringWriter();

  @Test
  void shouldMakeColumnsAsWideAsTheyNeedAndPutNumbersToTheRight() {
    new TableText().words("TOPIC").number("LAG").words("BROKERS")
        .row("a", 7, "b0")
        .row("longer-name", 12345, "")
        .print(new PrintWriter(printed, true));

    assertThat(printed.toString().lines()).containsExactly(
        "TOPIC          LAG  BROKERS",
        "a                7  b0",
        "longer-name  12345");
  }

  @Test
  void shouldLetNoCellBreakItsLine() {
    new TableText().words("BODY").row("a\nb\u001b[31m").print(new PrintWriter(printed, true));

    assertThat(printed.toString().lines()).containsExactly("BODY", "a\\nb\\u001b[31m");
  }

  @Test
  void shouldTakeACellForEachColumn() {
    TableText table = new TableText().words("A").words("B");

    assertThatThrownBy(() -> table.row("only one")).hasMessage("1 cells for 2 columns");
  }
}
