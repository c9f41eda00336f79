package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.metaq.coordinator.api.PopRequest.Kind;
import io.metaq.model.RequestCode;

/**
 * What a request for popped messages says, as it came.
 *
 * @param kind messages, a look at them, or a notice that there are some
 * @param bornMs when the client sent it, by its clock; now when it does not say
 * @param fromFirst whether a group without progress begins with the first message
 */
record PopWish(
    Kind kind,
    int opaque,
    SerializeType type,
    boolean oneway,
    String group,
    String topic,
    int queueId,
    int maxMessages,
    long invisibleMs,
    long pollMs,
    long bornMs,
    boolean fromFirst,
    String expressionType,
    String expression,
    boolean ordered,
    String attemptId) {
  private static final int FROM_FIRST = 0;
  /** Who asks to be held without end comes back once a day. */
  private static final long LONGEST_POLL_MS = 24L * 3600 * 1000;

  /** @throws io.metaq.codec.remoting.HeaderException when a field is missing or no number */
  static PopWish of(RemotingCommand request, long nowMs) {
    Kind kind = kind(request.code());
    boolean pop = kind == Kind.POP;
    boolean waits = kind != Kind.PEEK;
    long bornMs = waits ? request.requireLong("bornTime") : nowMs;
    return new PopWish(
        kind,
        request.opaque(),
        request.type(),
        request.oneway(),
        request.requireText("consumerGroup"),
        request.requireText("topic"),
        request.requireInt("queueId"),
        kind == Kind.NOTICE ? 1 : request.requireInt("maxMsgNums"),
        pop ? request.requireLong("invisibleTime") : 0,
        waits ? Math.min(request.requireLong("pollTime"), LONGEST_POLL_MS) : 0,
        bornMs == 0 ? nowMs : bornMs,
        !pop || request.requireInt("initMode") == FROM_FIRST,
        request.text("expType").orElse(""),
        request.text("exp").orElse(""),
        request.booleanOr("order", false),
        request.text("attemptId").orElse(""));
  }

  private static Kind kind(int code) {
    if (code == RequestCode.PEEK_MESSAGE.wire()) {
      return Kind.PEEK;
    }
    return code == RequestCode.NOTIFICATION.wire() ? Kind.NOTICE : Kind.POP;
  }

  /** What it is answered to, without the fields that are read. */
  RemotingCommand request() {
    RequestCode code = switch (kind) {
      case POP -> RequestCode.POP_MESSAGE;
      case PEEK -> RequestCode.PEEK_MESSAGE;
      case NOTICE -> RequestCode.NOTIFICATION;
    };
    return RemotingCommand.decoded(code.wire(), RemotingCommand.LANGUAGE, 0, opaque, 0, type);
  }
}
