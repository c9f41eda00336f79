package io.metaq.torture;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * Bodies that tell for themselves whether they are whole: a number, and bytes made from it. Most are short, some fill several pages.
 */
final class Payload {
  private static final int LONG_ONE_IN = 12;
  private static final int SHORT = 400;
  private static final int LONG = 12_000;

  private Payload() {}

  /** The body of message {@code number}. */
  static byte[] of(long number) {
    SplittableRandom random = new SplittableRandom(number);
    byte[] body = new byte[Long.BYTES + random.nextInt(random.nextInt(LONG_ONE_IN) == 0 ? LONG : SHORT)];
    random.nextBytes(body);
    ByteBuffer.wrap(body).putLong(number);
    return body;
  }

  /** The number of the message with this body; empty when no message of ours has it. */
  static OptionalLong numberOf(byte[] body) {
    if (body.length < Long.BYTES) {
      return OptionalLong.empty();
    }
    long number = ByteBuffer.wrap(body).getLong();
    return Arrays.equals(body, of(number)) ? OptionalLong.of(number) : OptionalLong.empty();
  }
}
