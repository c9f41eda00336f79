package io.metaq.model;

/** The only source of time, so that tests can move it by hand. */
public interface Clock {
  /** Wall clock, ms since 1970. May step when the machine's clock is set. */
  long millis();

  /** Monotonic, ns since an arbitrary moment. For durations and deadlines. */
  long nanos();

  /** The clock of this machine. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }
}
