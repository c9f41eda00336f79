package io.metaq.model;

/** {@link Clock} of the machine; the one place that asks the JDK for the time. */
final class SystemClock implements Clock {
  static final SystemClock INSTANCE = new SystemClock();

  private SystemClock() {}

  @Override
  public long millis() {
    return System.currentTimeMillis();
  }

  @Override
  public long nanos() {
    return System.nanoTime();
  }
}
