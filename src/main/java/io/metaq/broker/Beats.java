package io.metaq.broker;

import io.metaq.model.OwnedBy;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The beat at which sums are kept: every ten seconds for a minute, every ten minutes for an hour, every hour for a day. Each window
 * has a ring of slots, two more than it needs, so that a reader is not overtaken while it reads the oldest.
 *
 * <pre>
 *   slot   0 ... 7        8 ... 15        16 ... 41
 *          minute: 6      hour: 6         day: 24     samples back is where the window begins
 * </pre>
 */
@OwnedBy("the sampler; read by everyone")
final class Beats {
  static final int SLOTS = 42;

  private final AtomicLongArray timesMs = new AtomicLongArray(SLOTS);
  private volatile long beat;

  /** A span of time that is looked back over. */
  enum Window {
    MINUTE(0, 6, 1),
    HOUR(8, 6, 60),
    DAY(16, 24, 360);

    private final int firstSlot;
    private final int samples;
    private final int beatsPerSample;

    Window(int firstSlot, int samples, int beatsPerSample) {
      this.firstSlot = firstSlot;
      this.samples = samples;
      this.beatsPerSample = beatsPerSample;
    }

    /** Whether a sample is kept at this beat. */
    boolean sampledAt(long beat) {
      return beat % beatsPerSample == 0;
    }

    /** Where the sample of a beat is kept. */
    int slot(long beat) {
      return firstSlot + (int) (beat / beatsPerSample % (samples + 2));
    }

    /** Where the sample stands at which the window of now began. */
    private int oldestSlot(long beat) {
      return slot(Math.max(0, beat / beatsPerSample - samples) * beatsPerSample);
    }
  }

  /** Starts at beat 0, at which every sum is 0. */
  Beats(long nowMs) {
    for (Window window : Window.values()) {
      timesMs.set(window.slot(0), nowMs);
    }
  }

  /** The number of the next beat, whose samples are to be written before {@link #reached}. */
  long next() {
    return beat + 1;
  }

  /** Owner: the samples of this beat are written. */
  void reached(long newBeat, long nowMs) {
    for (Window window : Window.values()) {
      if (window.sampledAt(newBeat)) {
        timesMs.set(window.slot(newBeat), nowMs);
      }
    }
    beat = newBeat;
  }

  /** The slot at which a window of now began. */
  int oldestSlot(Window window) {
    return window.oldestSlot(beat);
  }

  /** When that slot was written; ms, monotonic. */
  long timeMs(int slot) {
    return timesMs.get(slot);
  }
}
