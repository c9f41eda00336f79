package io.metaq.model;

/**
 * What the writer of the commit log did with one record. {@code STORED} says "appended"; whether it is flushed or replicated is told
 * by watermarks.
 */
public enum AppendStatus {
  /** Appended; its offsets are set. */
  STORED,
  /** The record breaks a limit that only the store knows; not stored. */
  ILLEGAL,
  /** The store takes no writes now: stopping, disk full, failed force, slave; not stored. */
  UNAVAILABLE,
  /** The next file could not be made or a write failed; not stored. */
  FAILED
}
