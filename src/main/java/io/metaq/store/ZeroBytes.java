package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Tells bytes that were never written, which read as zeros. */
final class ZeroBytes {
  private static final int BLOCK = 1 << 20;

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

  /** Whether a file holds nothing else. */
  static boolean only(Path file) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      while (channel.read(block.clear()) > 0) {
        if (!all(block, 0, block.position())) {
          return false;
        }
      }
    }
    return true;
  }
}
