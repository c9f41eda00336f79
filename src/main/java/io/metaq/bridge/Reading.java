package io.metaq.bridge;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;

/** What brings messages to one outlet. */
interface Reading {
  /** There may be room again. */
  void more();

  /** Wants no more. Completes when what was open is open for others. */
  Future<Void> stop();

  /** Done with a message. */
  Future<Void> acknowledge(String handle);

  /** Sends a message back, to come again after a delay; without one as the broker has it. */
  Future<Void> sendBack(String handle, Optional<Duration> delay);

  /** Where it is now, as a text; empty text for a member of a group, whose progress is the broker's. */
  String position();
}
