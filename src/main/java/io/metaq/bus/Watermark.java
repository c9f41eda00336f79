package io.metaq.bus;

/**
 * Everything below {@code phyOffset} is safe in the sense of {@code kind}. Told once for each force or replica acknowledgement to the
 * senders that wait.
 */
public record Watermark(Kind kind, long phyOffset) {
  /** What has been reached. */
  public enum Kind {
    FLUSHED,
    REPLICATED
  }
}
