package io.metaq.codec.remoting;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Offset message ids of one broker: the upper-case hex of its address and a place in its commit log.
 *
 * <pre>
 *   IP, 4 or 16 bytes | port i32 | phyOffset i64     32 or 56 hex digits
 * </pre>
 *
 * Example: 127.0.0.1:10911, phyOffset 3 is {@code 7F00000100002A9F0000000000000003}. A message's unique key has the same length and
 * alphabet, so a text that parses need not be an offset id. Source: the RocketMQ remoting protocol.
 */
public final class MessageIds {
  private static final HexFormat HEX = HexFormat.of();
  private static final int PHY_OFFSET_DIGITS = 16;
  private static final int PORT_DIGITS = 8;
  private static final int V4_DIGITS = 32;
  private static final int V6_DIGITS = 56;

  private final byte[] hostHex;

  /** The address as stored records hold it: IP bytes, then the port as i32. */
  public MessageIds(byte[] storeHost) {
    ByteSink sink = new ByteSink(storeHost.length * 2);
    sink.putHex(storeHost);
    hostHex = sink.toByteArray();
  }

  /** What an id says. */
  public record Parsed(byte[] ip, int port, long phyOffset) {}

  /** Appends the id of the record at {@code phyOffset}. */
  public void append(ByteSink out, long phyOffset) {
    out.putBytes(hostHex);
    out.putHex(phyOffset);
  }

  /** The id of the record at {@code phyOffset}. */
  public String text(long phyOffset) {
    return new String(hostHex, StandardCharsets.US_ASCII) + HEX.withUpperCase().toHexDigits(phyOffset);
  }

  /** Reads an id, empty when the text has not the form of one. */
  public static Optional<Parsed> parse(String id) {
    int length = id.length();
    if (length != V4_DIGITS && length != V6_DIGITS || !id.chars().allMatch(HexFormat::isHexDigit)) {
      return Optional.empty();
    }
    int offsetFrom = length - PHY_OFFSET_DIGITS;
    int portFrom = offsetFrom - PORT_DIGITS;
    return Optional.of(new Parsed(
        HEX.parseHex(id, 0, portFrom),
        HexFormat.fromHexDigits(id, portFrom, offsetFrom),
        HexFormat.fromHexDigitsToLong(id, offsetFrom, length)));
  }
}
