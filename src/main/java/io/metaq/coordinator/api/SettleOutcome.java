package io.metaq.coordinator.api;

import io.metaq.model.ResultCode;

/**
 * What became of a {@link SettleRequest}.
 *
 * @param remark why it was not done, null when it was
 * @param popTimeMs of messages that stay invisible: what counts as the time of their pop from now on
 * @param invisibleMs of those: for how long from {@code popTimeMs} on
 */
public record SettleOutcome(ResultCode code, String remark, long popTimeMs, long invisibleMs) {
  public static final SettleOutcome DONE = new SettleOutcome(ResultCode.SUCCESS, null, 0, 0);

  public static SettleOutcome refused(ResultCode code, String remark) {
    return new SettleOutcome(code, remark, 0, 0);
  }
}
