package io.metaq.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What strangers say first. A frame begins with its length, so the first four bytes of other protocols are lengths far above any
 * limit; here they are recognised, so that the peer gets an answer it can read.
 */
final class FirstBytes {
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int PROXY_V2 = 0x0D0A0D0A;
  /** A record of type alert, TLS 1.0 for all to understand, two bytes: fatal, handshake_failure. */
  private static final byte[] TLS_ALERT = {0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x28};

  private static final String HTTP_TEXT = "This is the remoting port of MetaQ; it does not speak HTTP.\n";
  private static final byte[] HTTP_ANSWER = ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: "
      + HTTP_TEXT.length() + "\r\nConnection: close\r\n\r\n" + HTTP_TEXT).getBytes(StandardCharsets.US_ASCII);

  private FirstBytes() {}

  /** Which other protocol begins with these four bytes, empty when it may be a frame. */
  static Optional<Refusal> stranger(int first) {
    if (first >>> 24 == TLS_HANDSHAKE) {
      return Optional.of(Refusal.TLS);
    }
    if (first == PROXY_V2) {
      return Optional.of(Refusal.PROXY);
    }
    return switch (ascii(first)) {
      case "GET ", "POST", "PUT ", "HEAD", "OPTI", "DELE", "PATC", "CONN", "TRAC", "PRI " -> Optional.of(Refusal.HTTP);
      case "PROX" -> Optional.of(Refusal.PROXY);
      default -> Optional.empty();
    };
  }

  /** What to say before closing, in the stranger's own language; empty for nothing. */
  static ByteBuf lastWords(Refusal refusal) {
    return switch (refusal) {
      case HTTP -> Unpooled.wrappedBuffer(HTTP_ANSWER);
      case TLS -> Unpooled.wrappedBuffer(TLS_ALERT);
      default -> Unpooled.EMPTY_BUFFER;
    };
  }

  private static String ascii(int first) {
    byte[] bytes = {(byte) (first >>> 24), (byte) (first >>> 16), (byte) (first >>> 8), (byte) first};
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
