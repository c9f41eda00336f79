package io.metaq.cli;

import io.metaq.torture.RoundResult;
import io.metaq.torture.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What came of the rounds, as lines for people: a table, and the verdict as the last line. */
final class TortureText {
  private static final String ROW = "%-12s %-12s %7s %13s %10s %6s %9s %11s %9s";

  private TortureText() {}

  static List<String> lines(Summary summary) {
    List<String> lines = new ArrayList<>();
    lines.add(row("", "flush mode", "rounds", "acknowledged", "found", "lost", "expected", "duplicates", "repaired"));
    for (Summary.Row row : summary.rows()) {
      RoundResult total = row.total();
      lines.add(row(row.kind().words(), row.mode(), row.rounds(), total.acknowledged(), total.found(), total.lost(),
          total.lostAsExpected(), total.duplicates(), total.repaired()));
    }
    long failed = summary.results().stream().filter(result -> !result.passed()).count();
    if (failed > 0) {
      lines.add(failed + " of " + summary.results().size() + " rounds failed");
    }
    lines.add("acknowledged " + summary.acknowledged() + ", found " + summary.found() + ", duplicates " + summary.duplicates()
        + ", repaired " + summary.repaired());
    return lines;
  }

  private static String row(Object... columns) {
    return String.format(Locale.ROOT, ROW, columns);
  }
}
