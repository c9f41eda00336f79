package io.metaq.cli;

import java.io.PrintStream;
import java.io.PrintWriter;

/**
 * A command's standard output that can be asked whether it has taken what was printed. picocli's own writer always says so: it stands on a
 * stream that keeps a failed write to itself.
 */
final class StandardOutput extends PrintWriter {
  /** What a user is told when it has not. */
  static final String LOST = "standard output takes nothing more: its reader has ended, or its disk is full";

  private final PrintStream stream;

  /**
   * Prints through a writer.
   *
   * @param stream what the writer stands on
   */
  StandardOutput(PrintWriter writer, PrintStream stream) {
    super(writer, true);
    this.stream = stream;
  }

  @Override
  public boolean checkError() {
    boolean lost = super.checkError();
    return stream.checkError() || lost;
  }

  /**
   * Prints a line on which something depends.
   *
   * @throws CommandFailure when the line, or one before, was not taken
   */
  static void println(PrintWriter out, String line) {
    out.println(line);
    if (out.checkError()) {
      throw new CommandFailure(LOST);
    }
  }
}
