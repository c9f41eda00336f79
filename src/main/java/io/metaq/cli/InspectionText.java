package io.metaq.cli;

import io.metaq.store.inspect.Finding;
import io.metaq.store.inspect.Finding.Severity;
import io.metaq.store.inspect.Inspection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What was found in a store, as lines for people: findings, a table, and a verdict as the last line. */
final class InspectionText {
  private static final String ROW = "%-16s %8s %22s %10s %10s";

  private InspectionText() {}

  static List<String> lines(Inspection inspection) {
    List<String> lines = new ArrayList<>();
    inspection.findings(Severity.REMARK).forEach(finding -> lines.add("remark: " + text(finding)));
    inspection.findings(Severity.DAMAGE).forEach(finding -> lines.add("damage: " + text(finding)));
    long untold = inspection.rows().stream().mapToLong(row -> row.damages() + row.remarks()).sum() - lines.size();
    if (untold > 0) {
      lines.add("and " + untold + " more of the same kinds");
    }
    lines.add(row("", "files", "checked", "damaged", "remarks"));
    for (Inspection.Row row : inspection.rows()) {
      lines.add(row(row.area().words(), number(row.files()), number(row.items()) + " " + row.area().items(), number(row.damages()),
          number(row.remarks())));
    }
    lines.add(verdict(inspection));
    return lines;
  }

  /** Names in a damaged file may hold anything, also what would move the cursor. */
  private static String text(Finding finding) {
    String place = finding.place() == Finding.WHOLE_FILE ? " " : " at " + finding.place() + ": ";
    String recovery = finding.recovery().isEmpty() ? "" : "; recovery " + finding.recovery();
    return MessageText.escaped(finding.file() + place + finding.what() + recovery);
  }

  private static String verdict(Inspection inspection) {
    String closed = inspection.cleanExit() ? "it was closed in order" : "it is open, or was not closed in order";
    if (inspection.sound()) {
      return "verdict: SOUND; " + closed;
    }
    String areas = inspection.rows().stream().filter(row -> row.damages() > 0).map(row -> row.area().words())
        .collect(Collectors.joining(", "));
    String places = number(inspection.damages()) + (inspection.damages() == 1 ? " place" : " places");
    return "verdict: DAMAGED in " + places + " (" + areas + "); " + closed;
  }

  private static String row(String area, String files, String items, String damaged, String remarks) {
    return String.format(ROW, area, files, items, damaged, remarks).stripTrailing();
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
