package io.metaq.torture;

/** The power is gone: unwinds whatever was at work. */
final class PowerCut extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PowerCut() {
    super("power cut", null, false, false);
  }
}
