package io.metaq.codec.remoting;

/** A header that cannot be decoded, or lacks a field its request needs. The message is a sentence for the peer. */
public final class HeaderException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HeaderException(String message) {
    super(message);
  }

  public HeaderException(String message, Throwable cause) {
    super(message, cause);
  }
}
