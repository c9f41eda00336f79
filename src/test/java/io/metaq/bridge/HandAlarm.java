package io.metaq.bridge;

import io.metaq.HandClock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Alarms that ring when the clock is moved past them. */
final class HandAlarm implements Alarm {
  private final HandClock clock;
  private final Map<Long, Runnable> tasks = new TreeMap<>();
  private final Map<Long, Long> dueMs = new TreeMap<>();
  private long ids;

  HandAlarm(HandClock clock) {
    this.clock = clock;
  }

  @Override
  public long set(long delayMs, Runnable task) {
    tasks.put(++ids, task);
    dueMs.put(ids, clock.millis() + Math.max(1, delayMs));
    return ids;
  }

  @Override
  public void cancel(long id) {
    tasks.remove(id);
  }

  boolean isSet() {
    return !tasks.isEmpty();
  }

  /** A step of 100 ms at a time. */
  void advance(long ms) {
    for (long passed = 0; passed < ms; passed += 100) {
      clock.advance(100);
      List.copyOf(tasks.keySet()).stream().filter(id -> dueMs.get(id) <= clock.millis()).forEach(id -> tasks.remove(id).run());
    }
  }
}
