package io.metaq.store;

/** Which message is meant by a time that falls between messages, or on several. */
public enum TimeBoundary {
  /** The first message stored at that time or later. */
  LOWER,
  /** The last message stored at that time or earlier. */
  UPPER
}
