package io.metaq.replication;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;

/** Puts a slave's reports together. Of several that came at once, the last counts. */
@OwnedBy("the session that made it")
final class ReportReader {
  private final ByteBuffer unfinished = ByteBuffer.allocate(TransferHeader.REPORT_SIZE);
  private long last;

  /** Takes what came; true when it completed a report. */
  boolean read(ByteBuffer bytes) {
    boolean complete = false;
    while (bytes.hasRemaining()) {
      unfinished.put(bytes.get());
      if (!unfinished.hasRemaining()) {
        last = unfinished.getLong(0);
        unfinished.clear();
        complete = true;
      }
    }
    return complete;
  }

  /** The last complete report. */
  long last() {
    return last;
  }
}
