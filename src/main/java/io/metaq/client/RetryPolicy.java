package io.metaq.client;

import io.metaq.model.ResultCode;
import java.util.Set;

/**
 * Whether another attempt at a send can help. A broken connection and a broker that is busy or stopping are worth trying until the time
 * is over; other answers are only worth a few more attempts, and some only at another broker.
 */
record RetryPolicy(int maxRefusals) {
  private static final int BUYER_ID_MISSING = 204;
  private static final int NOT_IN_UNIT = 205;

  /** Answers that pass by themselves. */
  private static final Set<Integer> PASSING = Set.of(ResultCode.SYSTEM_BUSY.wire(), ResultCode.SERVICE_NOT_AVAILABLE.wire());

  /** Answers that speak about the broker, not about the message: another one may accept it. */
  private static final Set<Integer> ELSEWHERE =
      Set.of(ResultCode.NO_PERMISSION.wire(), ResultCode.TOPIC_NOT_EXIST.wire(), BUYER_ID_MISSING, NOT_IN_UNIT);

  /** Answers of a broker that does not serve the topic now, as a master that became a slave. */
  private static final Set<Integer> MOVED =
      Set.of(ResultCode.SERVICE_NOT_AVAILABLE.wire(), ResultCode.NO_PERMISSION.wire(), ResultCode.TOPIC_NOT_EXIST.wire());

  /** Whether an answer with an error code puts the route in doubt. */
  static boolean doubtsRoute(int code) {
    return MOVED.contains(code);
  }

  /**
   * @param refusals answers with an error so far, this one included
   * @param otherBroker whether the topic has a queue at another broker
   */
  boolean again(MetaqException failure, int refusals, boolean otherBroker) {
    return switch (failure.reason()) {
      case CONNECTION, TIMEOUT, NO_NAME_SERVER, NO_ROUTE, NO_BROKER -> true;
      case REFUSED ->
          PASSING.contains(failure.code())
              || refusals < maxRefusals && (failure.retryable() || otherBroker && ELSEWHERE.contains(failure.code()));
      case INVALID, NOT_FOUND, ALREADY_SETTLED, QUEUE_LOST, UNREADABLE, HANDLER, CLOSED -> false;
    };
  }
}
