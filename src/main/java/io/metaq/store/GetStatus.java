package io.metaq.store;

/** What reading a queue from an offset came to. */
public enum GetStatus {
  /** At least one record. */
  FOUND,
  /** Units were scanned, none passed the filter. */
  NO_MATCHED_MESSAGE,
  /** The records are gone from the log, their file was just deleted. */
  MESSAGE_WAS_REMOVING,
  /** There is no such queue. */
  NO_MATCHED_LOGIC_QUEUE,
  /** The queue is empty and always was. */
  NO_MESSAGE_IN_QUEUE,
  /** The offset is below the first message. */
  OFFSET_TOO_SMALL,
  /** The offset is that of the next message to come. */
  OFFSET_OVERFLOW_ONE,
  /** The offset is beyond that. */
  OFFSET_OVERFLOW_BADLY,
  /** The queue should have a unit there, but its file has none. */
  OFFSET_FOUND_NULL
}
