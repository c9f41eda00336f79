package io.metaq.store.inspect;

import io.metaq.codec.store.CheckpointLayout.Checkpoint;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.store.StoreOptions;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the inspectors of a store know together. The notes are read before the log, so that a broker at work can only have written
 * more than they say.
 *
 * @param cleanExit whether the store was closed in order
 * @param noted what queues and index surely hold; empty in a store that MetaQ has not written
 * @param tallies messages by topic and queue, filled by the inspection of the log
 */
record StoreState(
    StoreOptions options,
    boolean cleanExit,
    Optional<QueueEnds> noted,
    Optional<Checkpoint> checkpoint,
    LogView log,
    Map<String, Map<Integer, QueueTally>> tallies) {

  StoreState(StoreOptions options, boolean cleanExit, Optional<QueueEnds> noted, Optional<Checkpoint> checkpoint) {
    this(options, cleanExit, noted, checkpoint, new LogView(), new TreeMap<>());
  }

  /** Log position from which a start would check the log; what lies below is taken to be on the disk and derived. */
  long checkedFrom() {
    long from = noted.map(QueueEnds::phyOffset).orElse(log.first());
    return Math.max(from, log.first());
  }

  /** Whether a start would check the log at this position. */
  boolean isChecked(long phyOffset) {
    return phyOffset >= checkedFrom();
  }

  QueueTally tally(String topic, int queueId) {
    return tallies.computeIfAbsent(topic, name -> new TreeMap<>()).computeIfAbsent(queueId, id -> new QueueTally());
  }
}
