package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A growing byte array to encode frames into, big-endian, used again and again by one thread. Nothing here allocates once the array is
 * large enough.
 */
@OwnedBy("the thread that encodes with it")
public final class ByteSink {
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LONG_MIN = "-9223372036854775808".getBytes(StandardCharsets.US_ASCII);

  private byte[] bytes;
  private int length;

  public ByteSink(int initialBytes) {
    bytes = new byte[initialBytes];
  }

  /** What was written lies in here from 0 to {@link #length()}; replaced when it grows. */
  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Forgets what was written. */
  public void clear() {
    length = 0;
  }

  /** A copy of what was written. */
  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, length);
  }

  public void putByte(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  public void putShort(int value) {
    ensure(2);
    bytes[length++] = (byte) (value >>> 8);
    bytes[length++] = (byte) value;
  }

  public void putInt(int value) {
    ensure(4);
    length += 4;
    setInt(length - 4, value);
  }

  public void putLong(long value) {
    putInt((int) (value >>> 32));
    putInt((int) value);
  }

  public void putBytes(byte[] source) {
    putBytes(source, 0, source.length);
  }

  public void putBytes(byte[] source, int from, int count) {
    ensure(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  /** Overwrites four bytes written before. */
  public void setInt(int at, int value) {
    bytes[at] = (byte) (value >>> 24);
    bytes[at + 1] = (byte) (value >>> 16);
    bytes[at + 2] = (byte) (value >>> 8);
    bytes[at + 3] = (byte) value;
  }

  /** Text that is known to be ASCII. */
  public void putAscii(String text) {
    int count = text.length();
    ensure(count);
    for (int i = 0; i < count; i++) {
      bytes[length + i] = (byte) text.charAt(i);
    }
    length += count;
  }

  /** Text as UTF-8; half a surrogate pair becomes a question mark. */
  public void putUtf8(String text) {
    int count = text.length();
    ensure(count * 3);
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes[length++] = (byte) c;
      } else {
        i += putBeyondAscii(text, i);
      }
    }
  }

  /** Text as a JSON string with its quotes. */
  public void putJsonString(String text) {
    int count = text.length();
    ensure(2 + count * 6);
    bytes[length++] = '"';
    for (int i = 0; i < count; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        bytes[length++] = '\\';
        bytes[length++] = (byte) c;
      } else if (c < 0x20) {
        putControl(c);
      } else if (c < 0x80) {
        bytes[length++] = (byte) c;
      } else {
        i += putBeyondAscii(text, i);
      }
    }
    bytes[length++] = '"';
  }

  /** A number in decimal digits. */
  public void putDecimal(long value) {
    ensure(LONG_MIN.length);
    if (value < 0) {
      if (value == Long.MIN_VALUE) {
        putBytes(LONG_MIN);
        return;
      }
      bytes[length++] = '-';
      value = -value;
    }
    int end = length + decimalDigits(value);
    length = end;
    do {
      long rest = value / 10;
      bytes[--end] = (byte) ('0' + (value - rest * 10));
      value = rest;
    } while (value != 0);
  }

  /** Eight bytes as sixteen upper-case hex digits. */
  public void putHex(long value) {
    ensure(16);
    for (int shift = 60; shift >= 0; shift -= 4) {
      bytes[length++] = HEX[(int) (value >>> shift) & 15];
    }
  }

  /** Bytes as upper-case hex digits, two each. */
  public void putHex(byte[] source) {
    ensure(source.length * 2);
    for (byte b : source) {
      bytes[length++] = HEX[b >> 4 & 15];
      bytes[length++] = HEX[b & 15];
    }
  }

  /** How many digits a number of 0 or more has. */
  static int decimalDigits(long value) {
    int digits = 1;
    long bound = 10;
    while (digits < 19 && value >= bound) {
      digits++;
      bound *= 10;
    }
    return digits;
  }

  /** Room for {@code \\u00XX} was made by the caller. */
  private void putControl(char c) {
    bytes[length++] = '\\';
    switch (c) {
      case '\n' -> bytes[length++] = 'n';
      case '\r' -> bytes[length++] = 'r';
      case '\t' -> bytes[length++] = 't';
      default -> {
        bytes[length++] = 'u';
        bytes[length++] = '0';
        bytes[length++] = '0';
        bytes[length++] = HEX[c >> 4];
        bytes[length++] = HEX[c & 15];
      }
    }
  }

  /** Writes the character at {@code i}; returns how many chars it took beyond the first. */
  private int putBeyondAscii(String text, int i) {
    char c = text.charAt(i);
    if (c < 0x800) {
      bytes[length++] = (byte) (0xC0 | c >> 6);
      bytes[length++] = (byte) (0x80 | c & 0x3F);
      return 0;
    }
    if (Character.isSurrogate(c)) {
      if (!Character.isHighSurrogate(c) || i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
        bytes[length++] = '?';
        return 0;
      }
      int point = Character.toCodePoint(c, text.charAt(i + 1));
      bytes[length++] = (byte) (0xF0 | point >> 18);
      bytes[length++] = (byte) (0x80 | point >> 12 & 0x3F);
      bytes[length++] = (byte) (0x80 | point >> 6 & 0x3F);
      bytes[length++] = (byte) (0x80 | point & 0x3F);
      return 1;
    }
    bytes[length++] = (byte) (0xE0 | c >> 12);
    bytes[length++] = (byte) (0x80 | c >> 6 & 0x3F);
    bytes[length++] = (byte) (0x80 | c & 0x3F);
    return 0;
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }
}
