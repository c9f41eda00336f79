package io.metaq.coordinator.api;

import io.metaq.model.ResultCode;

/**
 * What became of a {@link Verdict}.
 *
 * @param remark why it was refused, empty when it was not
 */
public record VerdictOutcome(ResultCode code, String remark) {
  /** The message is stored for its consumers, or dropped. */
  public static final VerdictOutcome DONE = new VerdictOutcome(ResultCode.SUCCESS, "");
}
