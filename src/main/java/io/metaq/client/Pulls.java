package io.metaq.client;

import io.metaq.codec.client.PullAnswer;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.vertx.core.Future;
import java.util.List;

/** Reads from queues: the request, its answer taken apart, bodies unpacked on a worker where they are compressed. */
@OwnedBy("its client's context")
final class Pulls {
  private static final int MAY_WAIT = 0x2;
  private static final int HAS_SUBSCRIPTION = 0x4;
  private static final int MAX_BYTES = 256 << 10;

  /** Time for an answer to come back that the broker held as long as it may. */
  private static final long ANSWER_MARGIN_MS = 10_000;

  private final Home home;
  private final Links links;

  /**
   * Who reads what.
   *
   * @param byMembership whether the broker knows the filter from heartbeats; otherwise each request carries it
   */
  record Reader(String group, io.metaq.model.Subscription filter, boolean byMembership) {}

  /** What one pull gave; {@code messages} are those of the answer, in order. */
  record Batch(PullAnswer answer, List<Received> messages) {}

  Pulls(Home home, Links links) {
    this.home = home;
    this.links = links;
  }

  /**
   * Reads once.
   *
   * @param waitMs how long the broker may wait for a message when there is none; 0 for an answer at once
   */
  Future<Batch> pull(Address address, TopicQueue queue, Reader reader, long queueOffset, int maxMessages, long waitMs) {
    return links
        .call(address, request(queue, reader, queueOffset, maxMessages, waitMs), waitMs + ANSWER_MARGIN_MS)
        .compose(answer -> read(queue, answer));
  }

  private static RemotingCommand request(TopicQueue queue, Reader reader, long queueOffset, int maxMessages, long waitMs) {
    int sysFlag = (waitMs > 0 ? MAY_WAIT : 0) | (reader.byMembership ? 0 : HAS_SUBSCRIPTION);
    RemotingCommand request =
        RemotingCommand.request(RequestCode.PULL_MESSAGE)
            .ext("consumerGroup", reader.group)
            .ext("topic", queue.topic())
            .ext("queueId", queue.queueId())
            .ext("queueOffset", queueOffset)
            .ext("maxMsgNums", maxMessages)
            .ext("sysFlag", sysFlag)
            .ext("commitOffset", 0)
            .ext("suspendTimeoutMillis", waitMs)
            .ext("subVersion", reader.filter.version())
            .ext("expressionType", reader.filter.type())
            .ext("maxMsgBytes", MAX_BYTES);
    return reader.byMembership ? request : request.ext("subscription", reader.filter.expression());
  }

  private Future<Batch> read(TopicQueue queue, RemotingCommand answer) {
    if (!PullAnswer.isPullOutcome(answer.code())) {
      return Future.failedFuture(MetaqException.refused(queue.broker(), answer.code(), answer.remark()));
    }
    PullAnswer pulled;
    try {
      pulled = PullAnswer.decode(answer);
    } catch (HeaderException broken) {
      return Future.failedFuture(
          MetaqException.of(
              MetaqException.Reason.CONNECTION, queue.broker() + " sent an answer that cannot be read: " + broken.getMessage(), broken));
    }
    List<StoredMessage> stored = pulled.messages();
    if (stored.stream().noneMatch(Bodies::compressed)) {
      return Future.succeededFuture(new Batch(pulled, stored.stream().map(Received::plain).toList()));
    }
    return home.blocking(() -> new Batch(pulled, stored.stream().map(Received::unpacked).toList()));
  }
}
