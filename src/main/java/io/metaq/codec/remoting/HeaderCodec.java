package io.metaq.codec.remoting;

/**
 * Commands to frames and headers to commands, in both header forms. The reference for every faster reader in this package: whatever
 * they cannot read at a glance, this one decides.
 *
 * <pre>
 *   0        4                5              8            8 + H
 *   +--------+----------------+--------------+------------+----------+
 *   | length | serialize type | headerLength | header (H) | body     |
 *   +--------+----------------+--------------+------------+----------+
 *     i32      i8               u24
 * </pre>
 *
 * length counts what follows it: 4 + H + body. Source: the RocketMQ remoting protocol.
 */
public final class HeaderCodec {
  /** Bytes before the header. */
  public static final int PREFIX_LENGTH = 8;

  /** Longest header that the 24 bits of its length can tell. */
  public static final int MAX_HEADER_LENGTH = 0xFFFFFF;

  private HeaderCodec() {}

  /**
   * Decodes a header; the body is left empty.
   *
   * @throws HeaderException when it cannot be decoded
   */
  public static RemotingCommand decode(byte[] header, int from, int length, SerializeType type) {
    return switch (type) {
      case JSON -> JsonHeader.decode(header, from, length);
      case ROCKETMQ -> BinaryHeader.decode(header, from, length);
    };
  }

  /** Appends the whole frame of a command. */
  public static void encode(RemotingCommand command, ByteSink out) {
    encodeHead(command, out);
    out.putBytes(command.body());
  }

  /** Appends the frame of a command up to its body, which is to follow. */
  public static void encodeHead(RemotingCommand command, ByteSink out) {
    encodeHead(command, command.body().length, out);
  }

  /** As {@link #encodeHead(RemotingCommand, ByteSink)}, for a body of {@code bodyLength} bytes from elsewhere. */
  public static void encodeHead(RemotingCommand command, int bodyLength, ByteSink out) {
    int start = beginFrame(out);
    switch (command.type()) {
      case JSON -> JsonHeader.encode(command, out);
      case ROCKETMQ -> BinaryHeader.encode(command, out);
    }
    endHeader(out, start, command.type(), bodyLength);
  }

  /** Leaves room for the frame's first eight bytes; returns where they are. */
  static int beginFrame(ByteSink out) {
    int start = out.length();
    out.putLong(0);
    return start;
  }

  /** Fills in the first eight bytes once the header is written; {@code bodyLength} more bytes follow. */
  static void endHeader(ByteSink out, int start, SerializeType type, int bodyLength) {
    int headerLength = out.length() - start - PREFIX_LENGTH;
    if (headerLength > MAX_HEADER_LENGTH) {
      throw new HeaderException("a header of " + headerLength + " bytes does not fit a frame");
    }
    out.setInt(start, 4 + headerLength + bodyLength);
    out.setInt(start + 4, type.wire() << 24 | headerLength);
  }
}
