package io.metaq.client;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.OptionalInt;

/** Sends a group's messages back to the broker they came from, for another delivery or to the dead letters (CONSUMER_SEND_MSG_BACK). */
@OwnedBy("its client's context")
final class SendBacks {
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

  /**
   * Completes when the broker has stored it.
   *
   * @param delayLevel as {@link SendBackLevels}
   * @param maxRetries a message that was sent back so often goes to the dead letters; the group's own limit when empty
   */
  Future<Void> sendBack(TopicQueue queue, Received received, int delayLevel, OptionalInt maxRetries) {
    Route route = routes.ready(queue.topic());
    Address master = route == null ? null : route.master(queue.broker()).orElse(null);
    if (master == null) {
      return Future.failedFuture(MetaqException.noMaster(queue.broker()));
    }
    RemotingCommand request =
        RemotingCommand.request(RequestCode.CONSUMER_SEND_MSG_BACK)
            .ext("offset", received.stored().phyOffset())
            .ext("group", group)
            .ext("delayLevel", delayLevel)
            .ext("originMsgId", received.messageId())
            .ext("originTopic", received.message().topic())
            .ext("unitMode", false);
    maxRetries.ifPresent(times -> request.ext("maxReconsumeTimes", times));
    return links
        .call(master, request, timeoutMs)
        .compose(
            answer ->
                answer.code() == ResultCode.SUCCESS.wire()
                    ? Future.succeededFuture()
                    : Future.failedFuture(MetaqException.refused(queue.broker(), answer.code(), answer.remark())));
  }
}
