package io.metaq.client;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;

/** {@link Settlement} of a group: messages go back to the broker they came from (CONSUMER_SEND_MSG_BACK). */
@OwnedBy("its client's context")
final class SendBacks implements Settlement {
  /** Deliveries after which a message goes to the dead letters. */
  private static final int MAX_RECONSUME_TIMES = 16;

  private final Links links;
  private final RouteCache routes;
  private final String group;
  private final long timeoutMs;

  SendBacks(Links links, RouteCache routes, String group, long timeoutMs) {
    this.links = links;
    this.routes = routes;
    this.group = group;
    this.timeoutMs = timeoutMs;
  }

  @Override
  public Future<Void> sendBack(TopicQueue queue, Received received, int delayLevel) {
    Route route = routes.ready(queue.topic());
    Address master = route == null ? null : route.master(queue.broker()).orElse(null);
    if (master == null) {
      return Future.failedFuture(
          MetaqException.of(MetaqException.Reason.NO_ROUTE, "broker " + queue.broker() + " has no master now"));
    }
    RemotingCommand request =
        RemotingCommand.request(RequestCode.CONSUMER_SEND_MSG_BACK)
            .ext("offset", received.stored().phyOffset())
            .ext("group", group)
            .ext("delayLevel", delayLevel)
            .ext("originMsgId", received.messageId())
            .ext("originTopic", received.message().topic())
            .ext("unitMode", false)
            .ext("maxReconsumeTimes", MAX_RECONSUME_TIMES);
    return links
        .call(master, request, timeoutMs)
        .compose(
            answer ->
                answer.code() == ResultCode.SUCCESS.wire()
                    ? Future.succeededFuture()
                    : Future.failedFuture(MetaqException.refused(queue.broker(), answer.code(), answer.remark())));
  }
}
