package io.metaq.store;

import java.nio.ByteBuffer;

/** Takes the records of a walk over the log. */
public interface RecordVisitor {
  /**
   * A sound record begins at the absolute place {@code at}; the bytes are lent for the call.
   */
  void record(ByteBuffer bytes, int at);
}
