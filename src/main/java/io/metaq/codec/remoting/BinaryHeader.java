package io.metaq.codec.remoting;

import java.nio.charset.StandardCharsets;

/**
 * The compact header, big-endian:
 *
 * <pre>
 *   0      2    3         5        9      13
 *   +------+----+---------+--------+------+--------------+--------+-----------+---------------+
 *   | code |lang| version | opaque | flag | remarkLength | remark | extLength | ext entries   |
 *   +------+----+---------+--------+------+--------------+--------+-----------+---------------+
 *     i16    i8   i16       i32      i32    i32                      i32
 *
 *   ext entry:  keyLength i16 | key | valueLength i32 | value
 * </pre>
 *
 * Texts are UTF-8, length 0 means none. Only 16 bits of a code travel: the request codes above 32767 that exist arrive as the aliases
 * {@link #code} maps back. Source: the RocketMQ remoting protocol.
 */
final class BinaryHeader {
  private static final int CODE = 0;
  private static final int LANGUAGE = 2;
  private static final int VERSION = 3;
  private static final int OPAQUE = 5;
  private static final int FLAG = 9;
  private static final int REMARK = 13;

  /** The shortest header: no remark, no ext fields. */
  static final int FIXED_LENGTH = REMARK + 4 + 4;

  private static final int ALIAS_DISTANCE = 3 << 16;

  private BinaryHeader() {}

  /** Told of each ext entry of a header, by place. */
  interface Entries {
    void entry(byte[] header, int keyFrom, int keyLength, int valueFrom, int valueLength);
  }

  static int code(byte[] header, int from) {
    int code = getShort(header, from + CODE);
    return (flag(header, from) & RemotingCommand.RESPONSE) == 0 && isAlias(code) ? code + ALIAS_DISTANCE : code;
  }

  static int version(byte[] header, int from) {
    return getShort(header, from + VERSION);
  }

  static int opaque(byte[] header, int from) {
    return getInt(header, from + OPAQUE);
  }

  static int flag(byte[] header, int from) {
    return getInt(header, from + FLAG);
  }

  static RemotingCommand decode(byte[] header, int from, int length) {
    check(header, from, length);
    RemotingCommand command = RemotingCommand.decoded(code(header, from), Languages.name(header[from + LANGUAGE]),
        version(header, from), opaque(header, from), flag(header, from), SerializeType.ROCKETMQ);
    command.remark(remark(header, from, length));
    entries(header, from, length, (bytes, keyFrom, keyLength, valueFrom, valueLength) -> {
      if (keyLength > 0 && valueLength > 0) {
        command.ext(text(bytes, keyFrom, keyLength), text(bytes, valueFrom, valueLength));
      }
    });
    return command;
  }

  /** Text for people, null when there is none. */
  static String remark(byte[] header, int from, int length) {
    int remarkLength = remarkLength(header, from, length);
    return remarkLength == 0 ? null : text(header, from + REMARK + 4, remarkLength);
  }

  /**
   * Writes the fixed members of a request without remark. Its ext entries follow; then their length belongs at the returned place.
   */
  static int begin(ByteSink out, int code, int opaque, int flag) {
    out.putShort(code);
    out.putByte(Languages.wire(RemotingCommand.LANGUAGE));
    out.putShort(RemotingCommand.VERSION);
    out.putInt(opaque);
    out.putInt(flag);
    out.putInt(0);
    int extLengthAt = out.length();
    out.putInt(0);
    return extLengthAt;
  }

  /** Throws unless the fixed members and the remark lie within the header. */
  static void check(byte[] header, int from, int length) {
    remarkLength(header, from, length);
  }

  /** Walks the ext entries. */
  static void entries(byte[] header, int from, int length, Entries entries) {
    int at = from + REMARK + 4 + remarkLength(header, from, length);
    int end = from + length;
    int extLength = getInt(header, at);
    at += 4;
    if (extLength < 0 || extLength > end - at) {
      throw new HeaderException("the fields of a binary header are longer than the header");
    }
    end = at + extLength;
    while (at < end) {
      int keyFrom = at + 2;
      int keyLength = keyFrom > end ? -1 : getShort(header, at);
      int valueFrom = keyFrom + keyLength + 4;
      int valueLength = keyLength < 0 || valueFrom > end ? -1 : getInt(header, valueFrom - 4);
      if (valueLength < 0 || valueLength > end - valueFrom) {
        throw new HeaderException("a field of a binary header is longer than the header");
      }
      entries.entry(header, keyFrom, keyLength, valueFrom, valueLength);
      at = valueFrom + valueLength;
    }
  }

  /** Writes everything behind the frame's eight bytes. */
  static void encode(RemotingCommand command, ByteSink out) {
    out.putShort(command.code());
    out.putByte(Languages.wire(command.language()));
    out.putShort(command.version());
    out.putInt(command.opaque());
    out.putInt(command.flag());
    int remarkAt = out.length();
    out.putInt(0);
    if (command.remark() != null) {
      out.putUtf8(command.remark());
      out.setInt(remarkAt, out.length() - remarkAt - 4);
    }
    int extAt = out.length();
    out.putInt(0);
    command.ext().forEach((key, value) -> {
      byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
      out.putShort(keyBytes.length);
      out.putBytes(keyBytes);
      int valueAt = out.length();
      out.putInt(0);
      out.putUtf8(value);
      out.setInt(valueAt, out.length() - valueAt - 4);
    });
    out.setInt(extAt, out.length() - extAt - 4);
  }

  private static int remarkLength(byte[] header, int from, int length) {
    if (length < FIXED_LENGTH) {
      throw new HeaderException("a binary header of " + length + " bytes is too short");
    }
    int remarkLength = getInt(header, from + REMARK);
    if (remarkLength < 0 || remarkLength > length - FIXED_LENGTH) {
      throw new HeaderException("the remark of a binary header is longer than the header");
    }
    return remarkLength;
  }

  private static boolean isAlias(int code) {
    return code >= 3442 && code <= 3448 || code >= 3462 && code <= 3471 || code == 3543;
  }

  private static String text(byte[] header, int from, int length) {
    return new String(header, from, length, StandardCharsets.UTF_8);
  }

  private static int getShort(byte[] bytes, int at) {
    return (short) (bytes[at] << 8 | bytes[at + 1] & 0xFF);
  }

  private static int getInt(byte[] bytes, int at) {
    return bytes[at] << 24 | (bytes[at + 1] & 0xFF) << 16 | (bytes[at + 2] & 0xFF) << 8 | bytes[at + 3] & 0xFF;
  }
}
