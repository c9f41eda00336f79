package io.metaq.store.inspect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of the commit log, mapped for reading only. The mapping is left to the collector: a tool soon ends.
 *
 * @param start log position of its first byte
 * @param bytes what there is of it, at most the configured size
 */
record LogFile(Path path, long start, ByteBuffer bytes) {
  static LogFile open(Path path, long start, int size) throws IOException {
    return new LogFile(path, start, map(path, size));
  }

  /** The first bytes of a file, {@code size} at most. */
  static ByteBuffer map(Path path, int size) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, Math.min(size, channel.size()));
    }
  }

  int length() {
    return bytes.capacity();
  }

  /** Log position behind its last byte. */
  long end() {
    return start + length();
  }

  /** Place of the first byte from {@code from} on that is not zero; the length when all are. */
  int used(int from) {
    int at = from;
    while (at + 8 <= length() && bytes.getLong(at) == 0) {
      at += 8;
    }
    while (at < length() && bytes.get(at) == 0) {
      at++;
    }
    return at;
  }
}
