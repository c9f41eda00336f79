package io.metaq.embedded;

/** An embedded cluster that cannot be had. The message is one sentence that names what to change. */
public final class EmbeddedMetaqException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of thing went wrong. */
  public enum Reason {
    /** The class path has a Vert.x before 5; the client runs on it, the server does not. */
    NEEDS_VERTX_5,
    /** A setting is wrong, or a port, a folder or the disk cannot be used. */
    START_FAILED
  }

  private final Reason reason;

  EmbeddedMetaqException(Reason reason, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  static EmbeddedMetaqException startFailed(String message, Throwable cause) {
    return new EmbeddedMetaqException(Reason.START_FAILED, message, cause);
  }

  public Reason reason() {
    return reason;
  }
}
