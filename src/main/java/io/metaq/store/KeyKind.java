package io.metaq.store;

/** Which of a message's keys is meant. */
public enum KeyKind {
  /** The unique key or one of the keys its producer listed. */
  ANY,
  /** The unique key alone. */
  UNIQUE
}
