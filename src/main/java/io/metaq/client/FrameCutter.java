package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Cuts frames out of what a socket delivers, in whatever pieces it comes. Keeps only the unfinished tail. The first four bytes of a frame
 * say how many follow.
 */
@OwnedBy("its client's context")
final class FrameCutter {
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int MIN_LENGTH = Integer.BYTES;
  private static final int MAX_LENGTH = 16 << 20;
  private static final byte[] NOTHING = new byte[0];

  /** Takes one frame, from its length on; the bytes may be kept but not changed. */
  interface FrameSink {
    void frame(byte[] bytes, int from, int length);
  }

  private final FrameSink sink;
  private byte[] tail = NOTHING;
  private int tailLength;

  FrameCutter(FrameSink sink) {
    this.sink = sink;
  }

  /**
   * Takes what has arrived and hands on every frame that is whole now.
   *
   * @throws IllegalArgumentException when these are not frames; the connection is of no use any more
   */
  void feed(Buffer chunk) {
    if (tailLength == 0) {
      byte[] bytes = chunk.getBytes();
      cut(bytes, bytes.length);
    } else {
      append(chunk);
    }
  }

  private void append(Buffer chunk) {
    int length = tailLength + chunk.length();
    if (length > tail.length) {
      byte[] larger = new byte[Math.max(length, Math.min(wanted(), tail.length * 2))];
      System.arraycopy(tail, 0, larger, 0, tailLength);
      tail = larger;
    }
    chunk.getBytes(0, chunk.length(), tail, tailLength);
    tailLength = length;
    if (length >= wanted()) {
      byte[] bytes = tail;
      tail = NOTHING;
      tailLength = 0;
      cut(bytes, length);
    }
  }

  /** Bytes the unfinished frame needs to be whole. */
  private int wanted() {
    return tailLength < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + frameLength(tail, 0);
  }

  private void cut(byte[] bytes, int end) {
    int at = 0;
    while (end - at >= LENGTH_BYTES) {
      int whole = LENGTH_BYTES + frameLength(bytes, at);
      if (end - at < whole) {
        break;
      }
      sink.frame(bytes, at, whole);
      at += whole;
    }
    tailLength = end - at;
    tail = tailLength == 0 ? NOTHING : Arrays.copyOfRange(bytes, at, end);
  }

  private static int frameLength(byte[] bytes, int at) {
    int length = (bytes[at] & 0xFF) << 24 | (bytes[at + 1] & 0xFF) << 16 | (bytes[at + 2] & 0xFF) << 8 | bytes[at + 3] & 0xFF;
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      throw new IllegalArgumentException("a frame of " + length + " bytes is announced, " + MIN_LENGTH + " to " + MAX_LENGTH + " are possible");
    }
    return length;
  }
}
