package io.metaq.coordinator;

import io.metaq.model.Clock;
import io.metaq.store.TimerIndex;

/** What taking timers up and delivering them share; all of one thread. */
record TimerParts(TimerTopic topic, TimerIndex index, DoneTimers done, TimerMessage message, TimerRules rules, Clock clock) {
  private static final long WARNING_INTERVAL_MS = 10_000;

  /** A warning that is held back while it repeats itself. */
  RepeatedWarning warning() {
    return new RepeatedWarning(clock, WARNING_INTERVAL_MS);
  }
}
