package io.metaq.broker;

import io.metaq.model.ResultCode;

/**
 * Something that is in the log while its client has not been answered yet.
 *
 * @param <U> the kind itself
 */
interface Unanswered<U extends Unanswered<U>> {
  /** Log position behind it. */
  long endOffset();

  /** When the loop heard of it. */
  long storedNs();

  /** The same, to be answered with another code. */
  U with(ResultCode code);
}
