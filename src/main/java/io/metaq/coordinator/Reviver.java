package io.metaq.coordinator;

import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.store.StoreException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes messages visible again that were popped and not settled in time: a copy of each goes to the retry topic of its group, and
 * when that is stored the check point is rid of it. Between the two a dying process leaves a message that comes twice; none is
 * lost.
 */
@OwnedBy("PopVerticle")
final class Reviver {
  private static final Logger log = LoggerFactory.getLogger(Reviver.class);

  /** A check point that is dealt with is looked at again after this, in case something could not be stored. */
  private static final long AGAIN_MS = 1_000;
  /** The same for one whose retry topic is being made. */
  private static final long TOPIC_MS = 20;
  private static final long WARNING_INTERVAL_MS = 10_000;

  private final InFlight inFlight;
  private final PopLog store;
  private final RetryCopies copies;
  private final Settlements settlements;
  private final PopOutside outside;
  private final Clock clock;
  private final RepeatedWarning notStored;
  private final Set<String> topics = new HashSet<>();

  Reviver(InFlight inFlight, PopLog store, RetryCopies copies, Settlements settlements, PopOutside outside, Clock clock) {
    this.inFlight = inFlight;
    this.store = store;
    this.copies = copies;
    this.settlements = settlements;
    this.outside = outside;
    this.clock = clock;
    notStored = new RepeatedWarning(clock, WARNING_INTERVAL_MS);
  }

  /** This retry topic exists. */
  void topicIsThere(String retryTopic) {
    topics.add(retryTopic);
  }

  /** Retry topics may be gone: they are asked for again. */
  void topicsAreGone() {
    topics.clear();
  }

  /**
   * Puts copies of what is due into the round.
   *
   * @return false when it had no room for all
   */
  boolean fill(PopRound round) {
    long nowMs = clock.millis();
    for (Checkpoint due = inFlight.due(nowMs); due != null; due = inFlight.due(nowMs)) {
      String topic = RetryCopies.topicFor(due.queue());
      boolean ready = due.open() == 0 || topics.contains(topic);
      if (!ready) {
        outside.ensureTopic(topic);
      } else if (!copyAll(round, due)) {
        return false;
      }
      inFlight.postpone(due, nowMs + (ready ? AGAIN_MS : TOPIC_MS));
    }
    return true;
  }

  private boolean copyAll(PopRound round, Checkpoint due) {
    for (int bits = due.open(); bits != 0; bits &= bits - 1) {
      if (!copy(round, due, Integer.lowestOneBit(bits))) {
        return false;
      }
    }
    return true;
  }

  private boolean copy(PopRound round, Checkpoint due, int bit) {
    PopQueue queue = due.queue();
    long queueOffset = due.queueOffsets(bit)[0];
    Optional<? extends SharedBytes> message;
    try {
      message = store.message(queue.topic(), queue.queueId(), queueOffset);
    } catch (StoreException failure) {
      warn(due, queueOffset, failure.getMessage());
      return true;
    }
    if (message.isEmpty()) {
      log.warn("a popped message that was not acknowledged is not there any more queue={} queueOffset={}", queue, queueOffset);
      settled(due, bit);
      return true;
    }
    try {
      boolean added = copies.add(round, due, message.get().bytes(), (status, detail, retryOffset, endOffset) ->
          copied(due, bit, queueOffset, status, detail));
      if (added) {
        due.leave(bit);
      }
      return added;
    } finally {
      message.get().release();
    }
  }

  private void copied(Checkpoint due, int bit, long queueOffset, AppendStatus status, String detail) {
    switch (status) {
      case STORED -> settlements.note(due, bit);
      case ILLEGAL -> {
        log.error("a popped message that was not acknowledged cannot be delivered again queue={} queueOffset={} detail={}",
            due.queue(), queueOffset, detail);
        settlements.note(due, bit);
      }
      case UNAVAILABLE, FAILED -> {
        due.stay(bit);
        warn(due, queueOffset, detail);
      }
    }
  }

  private void settled(Checkpoint due, int bit) {
    due.leave(bit);
    settlements.note(due, bit);
  }

  private void warn(Checkpoint due, long queueOffset, String detail) {
    if (notStored.due()) {
      log.warn("a popped message was not made visible again, another try follows queue={} queueOffset={} detail={} suppressed={}",
          due.queue(), queueOffset, detail, notStored.takeSuppressed());
    }
  }
}
