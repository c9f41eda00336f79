package io.metaq.store.inspect;

import io.metaq.codec.store.CheckpointLayout;
import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks that what the checkpoint and the note of the queues' ends claim can be true. Comes after the log. */
final class CheckpointInspector {
  /** A message's store time is taken a little before it is in the log. */
  private static final long SLACK_MS = 1000;
  private static final String PUT_ASIDE = "puts it aside and goes by config/queueEnds.json";
  private static final String WHOLE_LOG = "checks and derives the whole log";

  private final StoreState state;
  private final Findings findings;

  CheckpointInspector(StoreState state, Findings findings) {
    this.state = state;
    this.findings = findings;
  }

  /**
   * Looks at both files.
   *
   * @param lastStoreTimestamp store time of the log's last record, ms
   * @return files that were read
   */
  long inspect(long lastStoreTimestamp) throws IOException {
    state.noted().ifPresent(this::noted);
    Path path = state.options().checkpointFile();
    if (!Files.exists(path)) {
      return 0;
    }
    if (!Files.isRegularFile(path)) {
      damage("is no file", PUT_ASIDE);
      return 0;
    }
    if (Files.size(path) != CheckpointLayout.FILE_SIZE) {
      damage("has " + Files.size(path) + " bytes instead of " + CheckpointLayout.FILE_SIZE, PUT_ASIDE);
    } else if (state.checkpoint().isEmpty()) {
      damage("has a time or a position that cannot be", PUT_ASIDE);
    }
    state.checkpoint().ifPresent(checkpoint -> times(checkpoint, lastStoreTimestamp));
    return 1;
  }

  private void noted(QueueEnds ends) {
    if (ends.phyOffset() > state.log().end()) {
      findings.damage(Area.CHECKPOINT, state.options().queueEndsFile(), Finding.WHOLE_FILE,
          "says the log was derived up to " + ends.phyOffset() + ", but its last sound record ends at " + state.log().end(),
          WHOLE_LOG);
    }
  }

  private void times(Checkpoint checkpoint, long lastStoreTimestamp) {
    if (state.cleanExit() && lastStoreTimestamp > 0
        && Math.max(checkpoint.logTimestamp(), checkpoint.queuesTimestamp()) > lastStoreTimestamp + SLACK_MS) {
      damage("covers messages of " + Math.max(checkpoint.logTimestamp(), checkpoint.queuesTimestamp())
          + " ms, but the last one in the log is of " + lastStoreTimestamp + " ms", "goes by config/queueEnds.json");
    } else if (state.cleanExit() && checkpoint.queuesPhyOffset() > state.log().end()) {
      damage("covers the log up to " + checkpoint.queuesPhyOffset() + ", but it ends at " + state.log().end(), WHOLE_LOG);
    }
  }

  private void damage(String what, String recovery) {
    findings.damage(Area.CHECKPOINT, state.options().checkpointFile(), Finding.WHOLE_FILE, what, recovery);
  }
}
