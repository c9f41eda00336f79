package io.metaq.coordinator;

import io.metaq.bus.TimerProgress;
import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;

/** How fast timers are taken up and delivered: over the last ten samples, one a second. */
@OwnedBy("TimerVerticle")
final class TimerRates {
  private static final int SAMPLES = 10;
  private static final double NANOS = 1e9;

  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  private record Sample(long nanos, long taken, long delivered) {}

  /** Takes a sample and publishes the rates since the oldest one. */
  void sample(long nanos, long taken, long delivered, TimerProgress progress) {
    samples.add(new Sample(nanos, taken, delivered));
    if (samples.size() > SAMPLES) {
      samples.poll();
    }
    Sample oldest = samples.peek();
    double seconds = (nanos - oldest.nanos) / NANOS;
    if (seconds > 0) {
      progress.rates((taken - oldest.taken) / seconds, (delivered - oldest.delivered) / seconds);
    }
  }
}
