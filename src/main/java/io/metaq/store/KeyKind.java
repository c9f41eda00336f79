package io.metaq.store;

/** By which of the things that the index has of a message it is looked for. */
public enum KeyKind {
  /** The unique key or one of the keys its producer listed. */
  ANY,
  /** The unique key alone. */
  UNIQUE,
  /** The tag, which the index has apart from the keys. */
  TAG
}
