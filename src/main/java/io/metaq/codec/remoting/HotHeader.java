package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reusable view of the header of one of the hottest requests. The usual JSON form and the binary form are scanned in place without
 * an object being made; any other header is decoded by {@link HeaderCodec} and laid into the same slots, so that both ways end in the
 * same checks.
 *
 * <p>A subclass numbers the fields it knows as slots and, once all are found, turns them into numbers. Text fields are ranges of
 * {@link #text()}, which holds their UTF-8 bytes and is valid until the next {@link #read}.
 */
@OwnedBy("the loop that reads with it")
public abstract class HotHeader {
  private static final int ABSENT = -1;
  private static final int FIRST_TEXT_BYTES = 4096;
  private static final int KEPT_TEXT_BYTES = 64 * 1024;
  /** By byte: printable ASCII but quote and backslash. */
  private static final boolean[] PLAIN = new boolean[256];

  static {
    for (int b = ' '; b < 0x80; b++) {
      PLAIN[b] = b != '"' && b != '\\';
    }
  }

  private final JsonEnvelope envelope = new JsonEnvelope();
  private final TextCache texts = new TextCache();
  private final BinaryHeader.Entries binaryEntries = this::binaryEntry;
  private final int[] starts;
  private final int[] lengths;
  private byte[] own = new byte[FIRST_TEXT_BYTES];
  private int ownLength;
  private int unescapedTo;
  private byte[] text = own;
  private int code;
  private int opaque;
  private int flag;
  private int version;

  HotHeader(int slots) {
    starts = new int[slots];
    lengths = new int[slots];
  }

  /** The slot of a field name, negative for one of no interest. */
  abstract int slot(byte[] name, int from, int length);

  /** The field's name, for people. */
  abstract String name(int slot);

  /** All fields are in their slots: check and convert them. */
  abstract void convert();

  /**
   * Reads the header in {@code header[0, length)}; the array must stay as it is while {@link #text()} is used.
   *
   * @throws HeaderException when it cannot be decoded, lacks a required field or holds a number that is none
   */
  public final void read(byte[] header, int length, SerializeType type) {
    Arrays.fill(lengths, ABSENT);
    switch (type) {
      case JSON -> readJson(header, length);
      case ROCKETMQ -> readBinary(header, length);
    }
    convert();
  }

  /** Where the text fields lie. */
  public final byte[] text() {
    return text;
  }

  public final int code() {
    return code;
  }

  public final int opaque() {
    return opaque;
  }

  public final int version() {
    return version;
  }

  /** Nobody waits for an answer. */
  public final boolean oneway() {
    return (flag & RemotingCommand.ONEWAY) != 0;
  }

  // The binary form

  private void readBinary(byte[] header, int length) {
    text = header;
    BinaryHeader.check(header, 0, length);
    code = BinaryHeader.code(header, 0);
    opaque = BinaryHeader.opaque(header, 0);
    flag = BinaryHeader.flag(header, 0);
    version = BinaryHeader.version(header, 0);
    BinaryHeader.entries(header, 0, length, binaryEntries);
  }

  private void binaryEntry(byte[] header, int keyFrom, int keyLength, int valueFrom, int valueLength) {
    int slot = slot(header, keyFrom, keyLength);
    if (slot >= 0 && valueLength > 0) {
      starts[slot] = valueFrom;
      lengths[slot] = valueLength;
    }
  }

  // The JSON form

  private void readJson(byte[] header, int length) {
    // Scanned in a copy: escapes are undone in place, and the header is not ours to change.
    if (own.length < length || own.length > KEPT_TEXT_BYTES && length <= KEPT_TEXT_BYTES) {
      own = new byte[Math.max(length, FIRST_TEXT_BYTES)];
    }
    ownLength = 0;
    text = own;
    if (envelope.scan(header, length)) {
      code = envelope.code();
      opaque = envelope.opaque();
      flag = envelope.flag();
      version = envelope.version();
      System.arraycopy(header, 0, own, 0, length);
      if (!envelope.hasExt() || scanFields(own, envelope.extFrom(), envelope.extTo())) {
        return;
      }
    }
    decode(header, length);
  }

  /**
   * Scans {@code "key":"value",...} up to the brace at {@code end}; false on anything unusual. The inner loops need no bound: quotes
   * follow the brace.
   */
  private boolean scanFields(byte[] bytes, int at, int end) {
    if (at == end) {
      return true;
    }
    while (at < end && bytes[at] == '"') {
      int keyFrom = ++at;
      while (PLAIN[bytes[at] & 0xFF]) {
        at++;
      }
      if (bytes[at] != '"' || bytes[at + 1] != ':' || bytes[at + 2] != '"') {
        return false;
      }
      int slot = slot(bytes, keyFrom, at - keyFrom);
      int from = at + 3;
      at = from;
      while (PLAIN[bytes[at] & 0xFF]) {
        at++;
      }
      int to = at;
      if (bytes[at] != '"') {
        at = unescape(bytes, at, end);
        if (at < 0) {
          return false;
        }
        to = unescapedTo;
      }
      if (slot >= 0) {
        starts[slot] = from;
        lengths[slot] = to - from;
      }
      if (++at >= end) {
        return at == end;
      }
      if (bytes[at++] != ',') {
        return false;
      }
    }
    return false;
  }

  /**
   * Moves what follows the first backslash of a string down over the escapes, up to {@link #unescapedTo}; returns the place of the
   * closing quote, or a negative number on anything unusual.
   */
  private int unescape(byte[] bytes, int at, int end) {
    int to = at;
    while (at < end) {
      byte b = bytes[at];
      if (PLAIN[b & 0xFF]) {
        bytes[to++] = b;
        at++;
      } else if (b == '\\') {
        int unescaped = unescaped(bytes, at + 1);
        if (unescaped < 0) {
          return -1;
        }
        bytes[to++] = (byte) unescaped;
        at += bytes[at + 1] == 'u' ? 6 : 2;
      } else {
        unescapedTo = to;
        return b == '"' ? at : -1;
      }
    }
    return -1;
  }

  /** The ASCII character of the escape whose letter is at {@code at}; negative when it is none or means another character. */
  private static int unescaped(byte[] header, int at) {
    return switch (header[at]) {
      case 'u' -> header[at + 1] == '0' && header[at + 2] == '0' && header[at + 3] >= '0' && header[at + 3] <= '7'
          ? header[at + 3] - '0' << 4 | hex(header[at + 4])
          : -1;
      case '"', '\\', '/' -> header[at];
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> -1;
    };
  }

  /** The value of a hex digit, -1 when it is none. */
  private static int hex(byte digit) {
    if (digit >= '0' && digit <= '9') {
      return digit - '0';
    }
    int letter = digit | 0x20;
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
  }

  private void decode(byte[] header, int length) {
    Arrays.fill(lengths, ABSENT);
    ownLength = 0;
    RemotingCommand command = HeaderCodec.decode(header, 0, length, SerializeType.JSON);
    code = command.code();
    opaque = command.opaque();
    flag = command.flag();
    version = command.version();
    command.ext().forEach((key, value) -> {
      byte[] name = key.getBytes(StandardCharsets.UTF_8);
      int slot = slot(name, 0, name.length);
      if (slot >= 0) {
        keep(slot, value.getBytes(StandardCharsets.UTF_8));
      }
    });
    text = own;
  }

  private void keep(int slot, byte[] value) {
    if (own.length - ownLength < value.length) {
      own = Arrays.copyOf(own, Math.max(own.length * 2, ownLength + value.length));
    }
    System.arraycopy(value, 0, own, ownLength, value.length);
    starts[slot] = ownLength;
    lengths[slot] = value.length;
    ownLength += value.length;
  }

  // For subclasses

  final boolean has(int slot) {
    return lengths[slot] != ABSENT;
  }

  final void require(int slot) {
    if (lengths[slot] == ABSENT) {
      throw new HeaderException("the request lacks the field '" + name(slot) + "'");
    }
  }

  final int start(int slot) {
    return starts[slot];
  }

  /** Length of a text field, 0 when absent. */
  final int length(int slot) {
    return Math.max(lengths[slot], 0);
  }

  final String string(int slot) {
    return texts.get(text, start(slot), length(slot));
  }

  final long requireLong(int slot) {
    require(slot);
    return number(slot);
  }

  final int requireInt(int slot) {
    return narrow(slot, requireLong(slot));
  }

  final long longOr(int slot, long fallback) {
    return length(slot) == 0 ? fallback : number(slot);
  }

  final int intOr(int slot, int fallback) {
    return narrow(slot, longOr(slot, fallback));
  }

  /** Anything but {@code true}, in any case, is false. */
  final boolean isTrue(int slot) {
    return length(slot) == 4 && (text[starts[slot]] | 0x20) == 't' && (text[starts[slot] + 1] | 0x20) == 'r'
        && (text[starts[slot] + 2] | 0x20) == 'u' && (text[starts[slot] + 3] | 0x20) == 'e';
  }

  private int narrow(int slot, long value) {
    if ((int) value != value) {
      throw notANumber(slot);
    }
    return (int) value;
  }

  private long number(int slot) {
    int at = starts[slot];
    int end = at + lengths[slot];
    if (end - at > 18 || at == end) {
      return slowNumber(slot);
    }
    boolean negative = text[at] == '-';
    if (negative) {
      at++;
    }
    long value = 0;
    int first = at;
    for (; at < end; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        return slowNumber(slot);
      }
      value = value * 10 + digit;
    }
    if (at == first) {
      return slowNumber(slot);
    }
    return negative ? -value : value;
  }

  private long slowNumber(int slot) {
    try {
      return Long.parseLong(new String(text, starts[slot], lengths[slot], StandardCharsets.UTF_8).trim());
    } catch (NumberFormatException e) {
      throw notANumber(slot);
    }
  }

  private HeaderException notANumber(int slot) {
    String value = new String(text, starts[slot], lengths[slot], StandardCharsets.UTF_8);
    return new HeaderException("the field '" + name(slot) + "' is not a whole number of its range: '" + value + "'");
  }
}
