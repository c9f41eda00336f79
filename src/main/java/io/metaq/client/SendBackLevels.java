package io.metaq.client;

import io.metaq.model.DelayLevels;
import java.time.Duration;

/** What a send-back may say about the delay of the next attempt. */
final class SendBackLevels {
  /** The broker decides, by how often the message was sent back. */
  static final int BY_BROKER = 0;

  /** To the dead letters at once. */
  static final int DEAD_LETTER = -1;

  private SendBackLevels() {}

  /**
   * The first of the levels every broker has by default that is at least so long, the last when none is; {@link #DEAD_LETTER} for a
   * negative delay.
   */
  static int atLeast(Duration delay) {
    return delay.isNegative() ? DEAD_LETTER : DelayLevels.DEFAULT.atLeast(delay.toMillis());
  }
}
