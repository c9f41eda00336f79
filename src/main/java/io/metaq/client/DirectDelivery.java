package io.metaq.client;

import io.metaq.codec.admin.DirectResult;
import io.metaq.codec.client.PullAnswer;
import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A message that a tool wants consumed by this member now, whatever the group's progress. It waits for the subscriber's demand like any
 * other and is no part of a queue: what becomes of it is told to the tool, and to nobody else.
 */
@OwnedBy("its client's context")
final class DirectDelivery implements Settlement {
  /** Brokers wait ten seconds for the answer. */
  private static final long LIMIT_MS = 8000;

  private final ClientParts parts;
  private final Subscriber subscriber;
  private final Promise<DirectResult> result = Promise.promise();
  private final Lane lane = new Lane(() -> true);
  private long handedOutNs;

  private DirectDelivery(ClientParts parts, Subscriber subscriber) {
    this.parts = parts;
    this.subscriber = subscriber;
  }

  /** Gives the message in a request to the member's subscriber; what there is to answer. */
  static Future<RemotingCommand> answer(ClientParts parts, GroupMember member, RemotingCommand request) {
    return message(parts, request)
        .compose(received -> {
          Subscriber subscriber = member.subscriber(received.message().topic()).orElseThrow(() -> MetaqException.of(
              MetaqException.Reason.INVALID, "topic '" + received.message().topic() + "' has no subscriber here"));
          return new DirectDelivery(parts, subscriber).deliver(received, request.text("brokerName").orElse(""));
        })
        .map(result -> request.success().body(result.encode()))
        .otherwise(failure -> request.response(ResultCode.SYSTEM_ERROR, failure.getMessage()));
  }

  private static Future<Received> message(ClientParts parts, RemotingCommand request) {
    return parts.home().blocking(() -> {
      List<StoredMessage> records = PullAnswer.records(request.body());
      if (records.size() != 1) {
        throw new HeaderException("one message is expected, " + records.size() + " came");
      }
      return Received.unpacked(records.get(0));
    });
  }

  private Future<DirectResult> deliver(Received received, String broker) {
    TopicQueue queue = new TopicQueue(received.stored().topic(), broker, received.stored().queueId());
    QueueReader nowhere = parts.readers().make(queue, null, null, 1, 1);
    lane.add(new QueuedDelivery(parts.home(), nowhere, nowhere.taken(received), received, this));
    subscriber.feed().ready(lane);
    subscriber.feed().drain();
    parts.home().after(LIMIT_MS, () -> {
      lane.clear();
      nowhere.stop();
      result.tryFail(MetaqException.of(
          MetaqException.Reason.TIMEOUT, "the subscriber did not settle the message within " + LIMIT_MS + " ms"));
    });
    return result.future();
  }

  @Override
  public void handedOut(QueuedDelivery delivery) {
    handedOutNs = parts.home().clock().nanos();
  }

  @Override
  public void acknowledged(QueuedDelivery delivery) {
    settled(DirectResult.SUCCESS);
  }

  @Override
  public Future<Void> sentBack(QueuedDelivery delivery, Optional<Duration> delay) {
    settled(DirectResult.LATER);
    return Future.succeededFuture();
  }

  private void settled(String how) {
    long spentMs = (parts.home().clock().nanos() - handedOutNs) / 1_000_000;
    result.tryComplete(new DirectResult(subscriber.subscription().isOrdered(), how, spentMs));
  }
}
