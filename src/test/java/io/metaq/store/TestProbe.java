package io.metaq.store;

import io.metaq.store.DiskSpace.Usage;
import java.util.List;

/** Two disks of 1000 MB, one of them as full as a test says. */
final class TestProbe implements DiskSpace.Probe {
  private static final long TOTAL = 1000L << 20;
  private static final int OTHER_USED_PERCENT = 10;

  volatile int usedPercent = 10;
  private Runnable asked = () -> { };

  /** Does something else in the middle of what is tested, each time the disks are looked at. */
  void whenAsked(Runnable what) {
    asked = what;
  }

  @Override
  public List<Usage> look() {
    asked.run();
    return List.of(disk("data", OTHER_USED_PERCENT), disk("log", usedPercent));
  }

  private static Usage disk(String folder, int used) {
    long free = TOTAL * (100 - used) / 100;
    return new Usage(folder, TOTAL, free, free);
  }
}
