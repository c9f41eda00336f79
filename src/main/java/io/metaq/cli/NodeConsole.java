package io.metaq.cli;

import java.io.PrintStream;
import java.util.List;

/**
 * Where the lines of all nodes of a cluster come together: each behind the name of its node, in the node's colour on a terminal.
 */
final class NodeConsole {
  private static final List<String> COLOURS = List.of("36", "33", "32", "35", "34", "31");
  private static final String PLAIN = "\u001b[0m";

  private final PrintStream out;
  private final boolean coloured;
  private final int width;

  /**
   * @param width of the longest name
   */
  NodeConsole(PrintStream out, boolean coloured, int width) {
    this.out = out;
    this.coloured = coloured;
    this.width = width;
  }

  /**
   * One line of a node; from any thread.
   *
   * @param index place of the node among all, for its colour
   */
  void line(int index, String name, String text) {
    String prefix = name + " ".repeat(Math.max(0, width - name.length())) + " | ";
    out.println(coloured ? "\u001b[" + COLOURS.get(index % COLOURS.size()) + "m" + prefix + PLAIN + text : prefix + text);
  }

  /** A line about the cluster itself. */
  void announce(String text) {
    out.println("metaq: " + text);
  }
}
