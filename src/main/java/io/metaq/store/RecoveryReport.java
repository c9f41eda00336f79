package io.metaq.store;

import java.util.List;

/**
 * What recovery found and did.
 *
 * @param cleanExit whether the store had been closed in order
 * @param scannedFrom log position from which records were checked
 * @param logEnd log position behind the last sound record
 * @param lastStoreTimestamp store time of that record, ms; 0 for an empty log
 * @param dispatchedFrom log position from which queues and index were derived anew
 * @param warnings what somebody should know, one sentence each
 */
public record RecoveryReport(
    boolean cleanExit, long scannedFrom, long logEnd, long lastStoreTimestamp, long dispatchedFrom, List<String> warnings) {

  public RecoveryReport {
    warnings = List.copyOf(warnings);
  }
}
