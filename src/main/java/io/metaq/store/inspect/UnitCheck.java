package io.metaq.store.inspect;

import io.metaq.codec.record.RecordReader;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.PropertyNames;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Compares a unit of a consume queue with the record it points to. */
final class UnitCheck {
  /** A tags code below this is a place in an extension file, which says nothing about tags. */
  private static final long EXTENSION_LIMIT = -2147483649L;

  private UnitCheck() {}

  /** Whether nothing was written there yet. */
  static boolean isUnused(ByteBuffer unit) {
    return unit.getInt(QueueUnit.RECORD_SIZE) == 0 && unit.getLong(QueueUnit.PHY_OFFSET) == 0;
  }

  /**
   * What is wrong with a unit that is in use, a clause; empty when it says what its record does.
   *
   * @param number the unit's in its queue
   * @param unit its bytes alone
   */
  static Optional<String> wrong(String queueTopic, int queueId, long number, ByteBuffer unit, LogView log) {
    long phyOffset = unit.getLong(QueueUnit.PHY_OFFSET);
    int size = unit.getInt(QueueUnit.RECORD_SIZE);
    long tagsCode = unit.getLong(QueueUnit.TAGS_CODE);
    Optional<RecordReader> found = phyOffset < 0 ? Optional.empty() : log.recordAt(phyOffset);
    if (found.isEmpty()) {
      return Optional.of("points to " + phyOffset + ", where no sound record stands");
    }
    RecordReader record = found.get();
    String topic = RecordText.topic(record);
    if (!topic.equals(queueTopic) || record.queueId() != queueId || record.queueOffset() != number) {
      return Optional.of("points to message " + record.queueOffset() + " of " + topic + "/" + record.queueId());
    }
    if (record.totalSize() != size) {
      return Optional.of("says its record has " + size + " bytes, it has " + record.totalSize());
    }
    if (tagsCode > EXTENSION_LIMIT && !topic.equals(Topics.SCHEDULE) && tagsCode != tagsCode(record)) {
      return Optional.of("has the tags code " + tagsCode + ", its record " + tagsCode(record));
    }
    return Optional.empty();
  }

  private static long tagsCode(RecordReader record) {
    return RecordText.properties(record).getOrDefault(PropertyNames.TAGS, "").hashCode();
  }
}
