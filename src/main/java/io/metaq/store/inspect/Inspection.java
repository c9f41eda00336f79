package io.metaq.store.inspect;

import io.metaq.store.inspect.Finding.Severity;
import java.util.List;

/**
 * What was found in a store.
 *
 * @param cleanExit whether it was closed in order; otherwise a broker has it open now, or was killed
 * @param rows one for each area
 * @param findings in the order in which they were found; of very many only the first
 */
public record Inspection(boolean cleanExit, List<Row> rows, List<Finding> findings) {
  /**
   * The sums of one area.
   *
   * @param files that were read
   * @param items that were checked
   * @param damages places that are damaged, also those that are not among the findings any more
   * @param remarks the same for remarks
   */
  public record Row(Area area, long files, long items, long damages, long remarks) {}

  /** Whether nothing is damaged. */
  public boolean sound() {
    return damages() == 0;
  }

  /** Places that are damaged. */
  public long damages() {
    return rows.stream().mapToLong(Row::damages).sum();
  }

  /** The findings of one severity. */
  public List<Finding> findings(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).toList();
  }
}
