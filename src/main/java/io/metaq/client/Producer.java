package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.UniqueKeys;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Sends messages: picks a queue, sends, and tries again elsewhere while that can help and time is left. Sends are pipelined; those of one
 * loop round to one broker leave in one write.
 */
@OwnedBy("its client's context")
final class Producer {
  private final Home home;
  private final Links links;
  private final RouteCache routes;
  private final QueueChooser chooser;
  private final BrokerHealth health;
  private final UniqueKeys ids;
  private final RetryPolicy policy;
  private final Backoff backoff;
  private final InFlight inFlight;
  private final MetaqClientOptions options;
  private boolean used;
  private boolean closed;
  private Promise<Void> drained;

  Producer(
      Home home,
      Links links,
      RouteCache routes,
      QueueChooser chooser,
      BrokerHealth health,
      UniqueKeys ids,
      RetryPolicy policy,
      Backoff backoff,
      MetaqClientOptions options) {
    this.home = home;
    this.links = links;
    this.routes = routes;
    this.chooser = chooser;
    this.health = health;
    this.ids = ids;
    this.policy = policy;
    this.backoff = backoff;
    this.options = options;
    this.inFlight = new InFlight(options.getMaxInFlight(), options.getMaxInFlightBytes());
  }

  /** Whether anything was sent, so that brokers are told of the producer group. */
  boolean used() {
    return used;
  }

  /** Sends one message; each call is a message of its own. */
  Future<SendReceipt> send(Message message) {
    if (closed) {
      return Future.failedFuture(closedFailure());
    }
    String messageId = ids.next();
    String properties = SendRequests.propertiesText(message, messageId);
    String fault = fault(message, properties);
    if (fault != null) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.INVALID, fault));
    }
    used = true;
    Sending sending = new Sending(message, messageId, properties);
    inFlight.enter(message.body().length, sending);
    return sending.promise.future();
  }

  /** Takes no more messages; completes when those on their way have their answer or have failed. */
  Future<Void> close() {
    closed = true;
    if (inFlight.count() == 0) {
      return Future.succeededFuture();
    }
    if (drained == null) {
      drained = Promise.promise();
    }
    return drained.future();
  }

  private String fault(Message message, String properties) {
    String topicFault = Topics.topicFault(message.topic());
    if (topicFault != null) {
      return topicFault;
    }
    if (message.body().length > options.getMaxBodyBytes()) {
      return "the body has " + message.body().length + " bytes, at most " + options.getMaxBodyBytes() + " are sent";
    }
    if (properties.length() > PropertiesText.MAX_BYTES / 3
        && properties.getBytes(StandardCharsets.UTF_8).length > PropertiesText.MAX_BYTES) {
      return "the properties are longer than " + PropertiesText.MAX_BYTES + " bytes";
    }
    return null;
  }

  private static MetaqException closedFailure() {
    return MetaqException.of(MetaqException.Reason.CLOSED, "the client is closed");
  }

  /** One message on its way, over all its attempts. */
  @OwnedBy("its client's context")
  private final class Sending implements Runnable {
    private final Promise<SendReceipt> promise = Promise.promise();
    private final Message message;
    private final String messageId;
    private final String properties;
    private final long deadlineNs = home.clock().nanos() + options.getSendTimeout().toNanos();
    private Route route;
    private TopicQueue queue;
    private String avoidBroker;
    private int attempts;
    private int refusals;

    Sending(Message message, String messageId, String properties) {
      this.message = message;
      this.messageId = messageId;
      this.properties = properties;
    }

    /** The first attempt, or the next. */
    @Override
    public void run() {
      Route known = routes.ready(message.topic());
      if (known != null) {
        attempt(known);
      } else {
        routes
            .forSending(message.topic())
            .onComplete(
                found -> {
                  if (found.succeeded()) {
                    attempt(found.result());
                  } else {
                    failed(found.cause());
                  }
                });
      }
    }

    private void attempt(Route current) {
      route = current;
      if (route.writable().isEmpty()) {
        routes.suspect(message.topic());
        failed(
            MetaqException.of(
                MetaqException.Reason.NO_ROUTE, "no broker takes messages for the topic '" + message.topic() + "' now"));
        return;
      }
      queue = chooser.choose(route.writable(), avoidBroker);
      Address master = route.master(queue.broker()).orElseThrow();
      long remainingMs = Math.max(1, (deadlineNs - home.clock().nanos()) / 1_000_000);
      RemotingCommand request =
          SendRequests.of(message, properties, queue, options.getProducerGroup(), home.clock().millis());
      links
          .call(master, request, Math.min(remainingMs, options.getRequestTimeout().toMillis()))
          .onComplete(this::answered);
    }

    private void answered(AsyncResult<RemotingCommand> answer) {
      if (answer.failed()) {
        health.failed(queue.broker());
        routes.suspect(message.topic());
        failed(answer.cause());
        return;
      }
      health.succeeded(queue.broker());
      try {
        Optional<SendReceipt> receipt = SendRequests.receipt(answer.result(), messageId, queue);
        if (receipt.isPresent()) {
          done();
          promise.complete(receipt.get());
        } else {
          refusals++;
          failed(MetaqException.refused(queue.broker(), answer.result().code(), answer.result().remark()));
        }
      } catch (HeaderException incomplete) {
        failed(
            MetaqException.of(
                MetaqException.Reason.CONNECTION, queue.broker() + " sent an incomplete answer: " + incomplete.getMessage(), incomplete));
      }
    }

    private void failed(Throwable cause) {
      attempts++;
      MetaqException failure =
          cause instanceof MetaqException typed
              ? typed
              : MetaqException.of(MetaqException.Reason.CONNECTION, "the send failed: " + cause, cause);
      long delayMs = backoff.delayMs(attempts);
      boolean timeLeft = deadlineNs - home.clock().nanos() > delayMs * 1_000_000;
      if (timeLeft && policy.again(failure, refusals, hasOtherBroker())) {
        avoidBroker = queue == null ? null : queue.broker();
        home.after(delayMs, this);
      } else {
        done();
        promise.fail(failure);
      }
    }

    private boolean hasOtherBroker() {
      return queue != null && route.writable().stream().anyMatch(other -> !other.broker().equals(queue.broker()));
    }

    private void done() {
      inFlight.leave(message.body().length);
      if (drained != null && inFlight.count() == 0) {
        drained.tryComplete();
      }
    }
  }
}
