package io.metaq.store;

/** A disk of 1000 MB that is as full as a test says. */
final class TestProbe implements DiskSpace.Probe {
  volatile int usedPercent = 10;
  private Runnable asked = () -> { };

  /** Does something else in the middle of what is tested, each time the disk is looked at. */
  void whenAsked(Runnable what) {
    asked = what;
  }

  @Override
  public long total() {
    return 1000L << 20;
  }

  @Override
  public long free() {
    return total() * (100 - usedPercent) / 100;
  }

  @Override
  public long usable() {
    asked.run();
    return free();
  }
}
