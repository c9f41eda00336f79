package io.metaq.bridge;

import io.metaq.client.MetaqException;
import io.metaq.model.ResultCode;
import java.util.Optional;

/** A failure that is answered: its kind, the response code, and one sentence for people. */
final class BridgeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Fault fault;
  private final int code;

  BridgeException(Fault fault, int code, String detail) {
    super(detail, null, false, false);
    this.fault = fault;
    this.code = code;
  }

  /** What any failure is to whoever asked; empty for bugs, whose text is nobody's business. */
  static Optional<BridgeException> of(Throwable failure) {
    if (failure instanceof BridgeException known) {
      return Optional.of(known);
    }
    if (failure instanceof MetaqException client) {
      Fault fault = fault(client);
      int code = client.code() == 0 ? fault.code().wire() : client.code();
      return Optional.of(new BridgeException(fault, code, client.getMessage()));
    }
    return Optional.empty();
  }

  private static Fault fault(MetaqException failure) {
    return switch (failure.reason()) {
      case NO_NAME_SERVER, NO_BROKER, CONNECTION, CLOSED -> Fault.UNAVAILABLE;
      case NO_ROUTE, NOT_FOUND -> Fault.UNKNOWN_TOPIC;
      case TIMEOUT -> Fault.TIMED_OUT;
      case INVALID -> Fault.INVALID;
      case UNREADABLE, HANDLER -> Fault.INTERNAL;
      case ALREADY_SETTLED, QUEUE_LOST -> Fault.LEASE_LOST;
      case REFUSED -> ResultCode.of(failure.code()).map(BridgeException::fault).orElse(Fault.BROKER_FAILED);
    };
  }

  private static Fault fault(ResultCode code) {
    return switch (code) {
      case MESSAGE_ILLEGAL -> Fault.INVALID_MESSAGE;
      case NO_PERMISSION -> Fault.REFUSED_BY_BROKER;
      case TOPIC_NOT_EXIST -> Fault.UNKNOWN_TOPIC;
      case SUBSCRIPTION_GROUP_NOT_EXIST -> Fault.UNKNOWN_GROUP;
      case SUBSCRIPTION_PARSE_FAILED -> Fault.INVALID_FILTER;
      case INVALID_PARAMETER -> Fault.INVALID;
      case SYSTEM_BUSY, SERVICE_NOT_AVAILABLE, GO_AWAY, FLOW_CONTROL -> Fault.UNAVAILABLE;
      default -> Fault.BROKER_FAILED;
    };
  }

  Fault fault() {
    return fault;
  }

  /** The broker's response code, or the one that means the same. */
  int code() {
    return code;
  }
}
