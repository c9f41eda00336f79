package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.buffer.Buffer;
import java.util.Arrays;

/**
 * Cuts frames out of what a socket delivers, in whatever pieces it comes. Keeps only the unfinished tail. The first four bytes of a
 * frame say how many follow.
 */
@OwnedBy("its client's context")
final class FrameCutter {
  private static final int LENGTH_BYTES = Integer.BYTES;
  private static final int MIN_LENGTH = Integer.BYTES;
  private static final int MAX_LENGTH = 16 << 20;

  private static final int FIRST_BYTES = 2048;

  /** What a busy connection's reads bring; larger arrays are given up when their frames are through. */
  private static final int KEPT_BYTES = 128 << 10;

  /** Takes one frame, from its length on; the bytes are overwritten afterwards. */
  interface FrameSink {
    void frame(byte[] bytes, int from, int length);
  }

  private final FrameSink sink;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  FrameCutter(FrameSink sink) {
    this.sink = sink;
  }

  /**
   * Takes what has arrived and hands on every frame that is whole now.
   *
   * @throws IllegalArgumentException when these are not frames; the connection is of no use any more
   */
  void feed(Buffer chunk) {
    append(chunk);
    int at = 0;
    while (length - at >= LENGTH_BYTES) {
      int whole = LENGTH_BYTES + frameLength(bytes, at);
      if (length - at < whole) {
        break;
      }
      sink.frame(bytes, at, whole);
      at += whole;
    }
    keep(at);
  }

  private void append(Buffer chunk) {
    int wanted = length + chunk.length();
    if (wanted > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(wanted, Math.min(unfinishedFrame(), bytes.length * 2)));
    }
    chunk.getBytes(0, chunk.length(), bytes, length);
    length = wanted;
  }

  /** Bytes of the frame that is begun. */
  private int unfinishedFrame() {
    return length < LENGTH_BYTES ? LENGTH_BYTES : LENGTH_BYTES + frameLength(bytes, 0);
  }

  /** Forgets what was handed on. */
  private void keep(int from) {
    length -= from;
    if (bytes.length > KEPT_BYTES && length <= KEPT_BYTES && from > 0) {
      byte[] smaller = new byte[KEPT_BYTES];
      System.arraycopy(bytes, from, smaller, 0, length);
      bytes = smaller;
    } else if (from > 0) {
      System.arraycopy(bytes, from, bytes, 0, length);
    }
  }

  private static int frameLength(byte[] bytes, int at) {
    int length = (bytes[at] & 0xFF) << 24 | (bytes[at + 1] & 0xFF) << 16 | (bytes[at + 2] & 0xFF) << 8 | bytes[at + 3] & 0xFF;
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
      throw new IllegalArgumentException("a frame of " + length + " bytes is announced, " + MIN_LENGTH + " to " + MAX_LENGTH + " are possible");
    }
    return length;
  }
}
