package io.metaq.store;

import java.nio.ByteBuffer;

/** Tells bytes that were never written, which read as zeros. */
final class ZeroBytes {
  private ZeroBytes() {}

  /** Whether all of {@code [from, to)} is zero. */
  static boolean all(ByteBuffer bytes, int from, int to) {
    int at = from;
    while (at <= to - Long.BYTES) {
      if (bytes.getLong(at) != 0) {
        return false;
      }
      at += Long.BYTES;
    }
    while (at < to) {
      if (bytes.get(at++) != 0) {
        return false;
      }
    }
    return true;
  }
}
