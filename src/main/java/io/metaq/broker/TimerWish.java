package io.metaq.broker;

import io.metaq.model.PropertyNames;
import io.metaq.model.ResultCode;
import io.metaq.model.TimerMoments;

/**
 * When a producer wants its message delivered, by one of the properties TIMER_DELAY_SEC, TIMER_DELAY_MS, TIMER_DELIVER_MS: of
 * several the first of these.
 *
 * @param dueMs when, ms; 0 = at once
 * @param refusal why it cannot be taken, a clause; empty when it can
 * @param code what the refusal is answered with
 */
record TimerWish(long dueMs, String refusal, ResultCode code) {
  /** Nothing is wanted, or a moment that has passed. */
  static final TimerWish AT_ONCE = at(0);

  static TimerWish of(SendProperties properties, TimerOptions options, long nowMs) {
    if (!options.enabled()) {
      return new TimerWish(0, "this broker does not deliver at a time (timerWheelEnable=false)", ResultCode.SYSTEM_ERROR);
    }
    long dueMs;
    try {
      dueMs = TimerMoments.wanted(properties.delaySeconds(), properties.delayMs(), properties.deliverMs(), nowMs);
    } catch (NumberFormatException notOne) {
      return illegal("the time of delivery is not a number: " + notOne.getMessage());
    }
    if (dueMs > nowMs && dueMs - nowMs > options.maxDelayMs()) {
      return illegal("the time of delivery lies " + (dueMs - nowMs) + " ms ahead, at most " + options.maxDelayMs()
          + " are allowed (timerMaxDelaySec)");
    }
    if (dueMs <= nowMs && properties.recalls()) {
      return illegal("a message cannot be taken back whose time of delivery has passed (property "
          + PropertyNames.TIMER_DEL_UNIQKEY + ")");
    }
    return dueMs <= nowMs ? AT_ONCE : at(dueMs);
  }

  private static TimerWish at(long dueMs) {
    return new TimerWish(dueMs, "", ResultCode.SUCCESS);
  }

  private static TimerWish illegal(String reason) {
    return new TimerWish(0, reason, ResultCode.MESSAGE_ILLEGAL);
  }

  boolean refused() {
    return !refusal.isEmpty();
  }

  /** Whether the message waits. */
  boolean waits() {
    return dueMs > 0;
  }
}
