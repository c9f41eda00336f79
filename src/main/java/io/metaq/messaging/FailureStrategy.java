package io.metaq.messaging;

/** What becomes of a message whose processing failed. */
enum FailureStrategy {
  /** The channel stops and the application is not alive; the message comes again when it is read anew. */
  FAIL,
  /** It is logged and acknowledged. */
  IGNORE,
  /** The broker delivers it again after a delay that grows, and at the end to the dead letters of its group. */
  RETRY,
  /** It goes to the dead letters of its group at once. */
  DEAD_LETTER_QUEUE
}
