package io.metaq.model;

import java.nio.ByteBuffer;

/** What one read of a queue wants. It is asked by the reading thread alone, about one record after the other. */
@FunctionalInterface
public interface RecordFilter {
  /** Whether a record of this tags code may be wanted; what is not costs no look into the log. */
  boolean admits(long tagsCode);

  /** Whether the record that begins at the place {@code at} is wanted; only asked where its tags code was. */
  default boolean admits(ByteBuffer log, int at) {
    return true;
  }

  /** Whether it looks at records, and not at tags codes alone. */
  default boolean judgesRecords() {
    return false;
  }

  /** Whether the read should end with what it has, because judging records has cost enough for one read. */
  default boolean tired() {
    return false;
  }
}
