package io.metaq.model;

import java.nio.ByteBuffer;

/**
 * Bytes that belong to somebody else, lent until {@link #release()}: a record in a mapped segment on its way to a socket. Whoever holds
 * one releases it exactly once; the bytes may vanish afterwards, or be others.
 */
public interface SharedBytes {
  /** The bytes from position to limit. Not copied; do not write. */
  ByteBuffer bytes();

  /** How many bytes there are. */
  default int size() {
    return bytes().remaining();
  }

  /** Copies all bytes to where {@code target} stands, and moves it behind them. */
  default void copyTo(ByteBuffer target) {
    target.put(bytes().duplicate());
  }

  /** Gives the bytes back. Callable from any thread. */
  void release();
}
