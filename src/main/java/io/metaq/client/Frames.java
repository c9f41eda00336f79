package io.metaq.client;

import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import java.util.Arrays;

/** Whole frames, as {@link FrameCutter} hands them on, to commands. */
final class Frames {
  private static final int HEADER_AT = HeaderCodec.PREFIX_LENGTH;
  private static final int TYPE_SHIFT = 24;
  private static final int HEADER_LENGTH_MASK = 0xFF_FFFF;

  private Frames() {}

  /**
   * The command in a frame; its body is a copy.
   *
   * @throws HeaderException when the frame is not one of this protocol
   */
  static RemotingCommand decode(byte[] bytes, int from, int length) {
    int headerLength = headerLength(bytes, from, length);
    int bodyAt = from + HEADER_AT + headerLength;
    return HeaderCodec.decode(bytes, from + HEADER_AT, headerLength, type(bytes, from, length))
        .body(Arrays.copyOfRange(bytes, bodyAt, from + length));
  }

  /** How the header of a frame is written. */
  static SerializeType type(byte[] bytes, int from, int length) {
    int type = headerWord(bytes, from, length) >>> TYPE_SHIFT;
    return SerializeType.of(type).orElseThrow(() -> new HeaderException("unknown header type " + type));
  }

  /** Bytes of the header of a frame. */
  static int headerLength(byte[] bytes, int from, int length) {
    int headerLength = headerWord(bytes, from, length) & HEADER_LENGTH_MASK;
    if (headerLength > length - HEADER_AT) {
      throw new HeaderException("a header of " + headerLength + " bytes does not fit its frame of " + length);
    }
    return headerLength;
  }

  private static int headerWord(byte[] bytes, int from, int length) {
    if (length < HEADER_AT) {
      throw new HeaderException("a frame of " + length + " bytes has no header");
    }
    int at = from + Integer.BYTES;
    return bytes[at] << 24 | (bytes[at + 1] & 0xFF) << 16 | (bytes[at + 2] & 0xFF) << 8 | bytes[at + 3] & 0xFF;
  }
}
