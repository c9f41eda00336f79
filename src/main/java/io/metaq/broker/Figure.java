package io.metaq.broker;

/** What a broker counts, from its start on. */
enum Figure {
  /** Messages handed to the writer of the log. */
  PUTS_TAKEN,
  /** Of those, the ones that came back, stored or not. */
  PUTS_RETURNED,
  MESSAGES_STORED,
  BYTES_STORED,
  MESSAGES_REFUSED,
  /** Looks into a queue that found messages. */
  PULLS_FOUND,
  PULLS_EMPTY,
  /** Pulls of readers far behind that waited so that sends do not. */
  PULLS_PACED,
  MESSAGES_READ,
  BYTES_READ
}
