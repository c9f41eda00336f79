package io.metaq.cli;

import io.metaq.model.OwnedBy;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** A table for people: a line of headings, columns as wide as they need, numbers to the right. */
@OwnedBy("the command that prints it")
final class TableText {
  private static final String GAP = "  ";

  private final List<Column> columns = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  private record Column(String heading, boolean right) {}

  /** Adds a column of words. */
  TableText words(String heading) {
    columns.add(new Column(heading, false));
    return this;
  }

  /** Adds a column of numbers. */
  TableText number(String heading) {
    columns.add(new Column(heading, true));
    return this;
  }

  /** Adds a row: a cell for each column. */
  TableText row(Object... cells) {
    if (cells.length != columns.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + columns.size() + " columns");
    }
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      texts.add(MessageText.escaped(String.valueOf(cell)));
    }
    rows.add(texts);
    return this;
  }

  void print(PrintWriter out) {
    List<Integer> widths = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      int at = i;
      widths.add(rows.stream().mapToInt(row -> row.get(at).length()).reduce(columns.get(i).heading.length(), Math::max));
    }
    print(out, columns.stream().map(Column::heading).toList(), widths);
    rows.forEach(row -> print(out, row, widths));
  }

  private void print(PrintWriter out, List<String> cells, List<Integer> widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String space = " ".repeat(widths.get(i) - cells.get(i).length());
      line.append(i == 0 ? "" : GAP).append(columns.get(i).right ? space + cells.get(i) : cells.get(i) + space);
    }
    out.println(line.toString().stripTrailing());
  }
}
