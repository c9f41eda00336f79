package io.metaq.client;

import io.metaq.codec.remoting.HeaderCodec;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import java.nio.ByteBuffer;
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
    int word = ByteBuffer.wrap(bytes).getInt(from + Integer.BYTES);
    int headerLength = word & HEADER_LENGTH_MASK;
    SerializeType type =
        SerializeType.of(word >>> TYPE_SHIFT).orElseThrow(() -> new HeaderException("unknown header type " + (word >>> TYPE_SHIFT)));
    if (headerLength > length - HEADER_AT) {
      throw new HeaderException("a header of " + headerLength + " bytes does not fit its frame of " + length);
    }
    int bodyAt = from + HEADER_AT + headerLength;
    return HeaderCodec.decode(bytes, from + HEADER_AT, headerLength, type).body(Arrays.copyOfRange(bytes, bodyAt, from + length));
  }
}
