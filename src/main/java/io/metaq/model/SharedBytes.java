package io.metaq.model;

import java.nio.ByteBuffer;

/**
 * Bytes that belong to somebody else, lent until {@link #release()}: a record in a mapped segment on its way to a socket. Whoever holds
 * one releases it exactly once; the bytes may vanish afterwards.
 */
public interface SharedBytes {
  /** The bytes from position to limit. Not copied; do not write. */
  ByteBuffer bytes();

  /** Gives the bytes back. Callable from any thread. */
  void release();
}
