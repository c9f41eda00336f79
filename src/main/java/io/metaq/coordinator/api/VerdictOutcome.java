package io.metaq.coordinator.api;

import io.metaq.model.ResultCode;

/**
 * What became of a {@link Verdict}.
 *
 * @param remark why it was refused, empty when it was not
 * @param endOffset log position behind the message that was stored for its consumers; 0 when none was
 */
public record VerdictOutcome(ResultCode code, String remark, long endOffset) {
  /** The message is dropped. Should a crash take that back, its producer is asked, and nobody has got it meanwhile. */
  public static final VerdictOutcome DROPPED = new VerdictOutcome(ResultCode.SUCCESS, "", 0);

  /** The message is stored for its consumers, as far as the appended log is. */
  public static VerdictOutcome stored(long endOffset) {
    return new VerdictOutcome(ResultCode.SUCCESS, "", endOffset);
  }

  public static VerdictOutcome refused(ResultCode code, String remark) {
    return new VerdictOutcome(code, remark, 0);
  }
}
