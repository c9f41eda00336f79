package io.metaq.client;

import io.metaq.codec.remoting.RecallHandle;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.Optional;

/** Takes messages back that wait for their time. */
record Recalls(Links links, RouteCache routes, String group, long timeoutMs) {

  /** Asks the broker that the handle names. */
  Future<Void> recall(String recallHandle) {
    Optional<RecallHandle> handle = RecallHandle.of(recallHandle);
    if (handle.isEmpty()) {
      return Future.failedFuture(
          MetaqException.of(MetaqException.Reason.INVALID, "this is no recall handle: '" + recallHandle + "'"));
    }
    String topic = handle.get().topic();
    String broker = handle.get().brokerName();
    RemotingCommand request =
        RemotingCommand.request(RequestCode.RECALL_MESSAGE)
            .ext("producerGroup", group)
            .ext("topic", topic)
            .ext("recallHandle", recallHandle)
            .ext("bname", broker);
    return routes
        .forSending(topic)
        .compose(
            route ->
                links.call(
                    route
                        .master(broker)
                        .orElseThrow(() -> MetaqException.noMaster(broker)),
                    request,
                    timeoutMs))
        .compose(
            answer ->
                answer.code() == ResultCode.SUCCESS.wire()
                    ? Future.succeededFuture()
                    : Future.failedFuture(MetaqException.refused(broker, answer.code(), answer.remark())));
  }
}
