package io.metaq.coordinator;

import io.metaq.codec.store.TimerCheckLayout.TimerCheck;
import io.metaq.model.OwnedBy;
import io.metaq.store.TimerCheckFile;
import io.metaq.store.TimerIndex.Forcing;
import java.io.IOException;
import java.util.Optional;

/**
 * When progress is written down, and in which order: a moment is chosen, the commit log must be on the disk as far as it was
 * then, the index is forced, and then the file is written. Nothing rests on how often that happens but what a start after a crash
 * has to read.
 */
@OwnedBy("TimerVerticle")
final class TimerChecks {
  /** A start after a crash reads at most this much more of the log because nothing was written down while nothing happened. */
  static final long UNREAD_BYTES = 64L * 1024 * 1024;

  /** A slave, which does nothing but follow, writes that down so often. */
  private static final long FOLLOWED_MS = 10_000;

  private final TimerTopic topic;
  private final boolean slave;
  private final TimerCheckFile file;
  private TimerCheck planned;
  private TimerCheck written;
  private long deliveredThen;
  private long deliveredPlanned;

  TimerChecks(TimerTopic topic, boolean slave, TimerCheckFile file) {
    this.topic = topic;
    this.slave = slave;
    this.file = file;
  }

  /** What to do now, on whatever thread; empty when there is nothing to write down, or not yet. {@link #done} is next. */
  Optional<Forcing> next(Timers timers) {
    if (planned == null && timers.isWritten() && isWorthIt(timers)) {
      planned = timers.check(Math.max(1, topic.appendedOffset()));
      deliveredPlanned = timers.delivered();
    }
    if (planned == null || topic.flushedOffset() < Math.min(planned.coversPhy(), topic.appendedOffset())) {
      return Optional.empty();
    }
    return Optional.of(writing(timers.forcing(), planned));
  }

  /** What was planned is written. */
  void done() {
    written = planned;
    deliveredThen = deliveredPlanned;
    planned = null;
  }

  /** What was planned could not be written; another moment is chosen next time. */
  void failed() {
    planned = null;
  }

  /** Everything due before this is known to be done after a crash too, ms. */
  long safeMs() {
    return written == null ? Long.MIN_VALUE : written.readTimeMs();
  }

  /**
   * Writes the present moment down, unless units wait that could not be written. The commit log is on the disk up to {@code
   * flushedPhy}, and nothing goes on any more.
   */
  void last(Timers timers, long flushedPhy) throws IOException {
    if (!timers.isWritten()) {
      throw new IOException("units of the timer log are not written");
    }
    writing(timers.forcing(), timers.check(Math.max(1, flushedPhy))).force();
  }

  private Forcing writing(Forcing index, TimerCheck check) {
    return () -> {
      index.force();
      file.write(check);
    };
  }

  private boolean isWorthIt(Timers timers) {
    if (written == null) {
      return true;
    }
    TimerCheck now = timers.check(1);
    return now.queueOffset() != written.queueOffset()
        || timers.delivered() != deliveredThen
        || topic.appendedOffset() - written.fromPhy().orElse(0) > UNREAD_BYTES
        || slave && now.readTimeMs() - written.readTimeMs() >= FOLLOWED_MS;
  }
}
