package io.metaq.broker;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells one of many what it waits for. One that cannot be told does not keep those behind it from their answers. */
final class Telling {
  private static final Logger log = LoggerFactory.getLogger(Telling.class);

  private Telling() {}

  /** @param whose for people who read the log */
  static void tell(Object whose, Runnable answer) {
    try {
      answer.run();
    } catch (RuntimeException | Error failure) {
      log.error("an answer failed of={}", whose, failure);
    }
  }
}
