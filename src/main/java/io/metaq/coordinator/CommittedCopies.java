package io.metaq.coordinator;

import io.metaq.codec.record.RecordReader;
import io.metaq.model.DelayLevels;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.model.SysFlag;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds the message that a commit has stored for a half message when the process died before it could note so. By the key index: with
 * {@code messageIndexEnable=false} nothing is found.
 */
@OwnedBy("TransactionVerticle")
final class CommittedCopies {
  private final TransactionLog log;
  private final RecordReader found = new RecordReader();
  private final HalfMessage prepared;

  CommittedCopies(TransactionLog log, byte[] storeHost, DelayLevels delays) {
    this.log = log;
    prepared = new HalfMessage(storeHost, delays);
  }

  /** Whether the transaction of a half message without {@link HalfMessage#fault()} was committed. */
  boolean has(HalfMessage half) {
    return !half.uniqueKey().isEmpty()
        && half.committedTopics().stream().anyMatch(topic ->
            log.anyWithKey(topic, half.uniqueKey(), half.bornTimestamp(), bytes -> commits(bytes, half)));
  }

  private boolean commits(ByteBuffer bytes, HalfMessage half) {
    found.wrap(bytes, 0);
    if ((found.sysFlag() & SysFlag.TRANSACTION_MASK) != SysFlag.TRANSACTION_COMMIT) {
      return false;
    }
    long place = found.preparedTransactionOffset();
    return place == half.phyOffset() || rootAt(place) == half.root();
  }

  /** The root of the half message at a place, {@link TransactionLog#NO_RECORD} when there is none. */
  private long rootAt(long phyOffset) {
    Optional<? extends SharedBytes> record = log.record(phyOffset);
    if (record.isEmpty()) {
      return TransactionLog.NO_RECORD;
    }
    try {
      prepared.read(record.get().bytes());
      return prepared.isHalf() ? prepared.root() : TransactionLog.NO_RECORD;
    } finally {
      record.get().release();
    }
  }
}
