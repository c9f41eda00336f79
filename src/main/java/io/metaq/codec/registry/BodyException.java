package io.metaq.codec.registry;

/** A request body that cannot be decoded. The message is a sentence for the peer. */
public final class BodyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public BodyException(String message) {
    super(message);
  }

  public BodyException(String message, Throwable cause) {
    super(message, cause);
  }
}
