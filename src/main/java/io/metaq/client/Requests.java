package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages whose senders wait for an answer, which a broker brings over this client's connection to it. */
@OwnedBy("its client's context")
final class Requests {
  private static final Logger log = LoggerFactory.getLogger(Requests.class);

  private final Home home;
  private final Producer producer;
  private final ClusterPresence presence;
  private final String clientId;
  private final Map<String, Asking> asking = new HashMap<>();

  Requests(Home home, Links links, Producer producer, ClusterPresence presence, String clientId) {
    this.home = home;
    this.producer = producer;
    this.presence = presence;
    this.clientId = clientId;
    links.serve(RequestCode.PUSH_REPLY_MESSAGE_TO_CLIENT, this::replied);
  }

  /** Sends a request and waits for its answer. */
  Home.Work<Message> ask(Message message, Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      return Home.Work.of(
          Future.failedFuture(
              MetaqException.of(MetaqException.Reason.INVALID, "a request needs a time-out above 0, not " + timeout)));
    }
    Asking one = new Asking(message, timeout.toMillis());
    one.begin();
    return one;
  }

  /** Fails everyone who waits. */
  void close() {
    Map.copyOf(asking).values().forEach(
        one -> one.end(Future.failedFuture(MetaqException.of(MetaqException.Reason.CLOSED, "the client is closed"))));
  }

  private void replied(RemotingCommand push, Link link) {
    try {
      Map<String, String> properties = PropertiesText.decode(push.text("properties").orElse("").getBytes(StandardCharsets.UTF_8));
      Asking one = asking.get(properties.getOrDefault(PropertyNames.CORRELATION_ID, ""));
      if (one == null) {
        log.debug("a reply came that nobody waits for remote={}", link.address());
        link.answer(push.response(ResultCode.SYSTEM_ERROR, "the requester does not wait for this reply any more"));
        return;
      }
      String topic = push.requireText("topic");
      int flag = (int) push.longOr("flag", 0);
      link.answer(push.success());
      one.end(unpacked(push).map(body -> new Message(topic, body, properties, flag)));
    } catch (HeaderException unreadable) {
      link.answer(push.response(ResultCode.SYSTEM_ERROR, unreadable.getMessage()));
    }
  }

  private Future<byte[]> unpacked(RemotingCommand push) {
    int sysFlag = (int) push.longOr("sysFlag", 0);
    return Bodies.compressed(sysFlag)
        ? home.blocking(() -> Bodies.unpack(push.body(), sysFlag))
        : Future.succeededFuture(push.body());
  }

  /** One request without an answer so far. */
  @OwnedBy("its client's context")
  private final class Asking implements Home.Work<Message> {
    private final String correlationId = UUID.randomUUID().toString();
    private final Promise<Message> promise = Promise.promise();
    private final Message message;
    private final long timeoutMs;
    private final long timer;
    private Home.Work<SendReceipt> sending;

    Asking(Message message, long timeoutMs) {
      this.timeoutMs = timeoutMs;
      this.message =
          message
              .with(PropertyNames.CORRELATION_ID, correlationId)
              .with(PropertyNames.REPLY_TO_CLIENT, clientId)
              .with(PropertyNames.TTL, Long.toString(timeoutMs));
      this.timer = home.after(timeoutMs, this::late);
    }

    void begin() {
      asking.put(correlationId, this);
      producer.use();
      presence.everywhere().onComplete(told -> send());
    }

    private void send() {
      if (asking.get(correlationId) == this) {
        sending = producer.send(message);
        sending.future().onFailure(failure -> end(Future.failedFuture(failure)));
      }
    }

    private void late() {
      cancel();
      promise.tryFail(
          MetaqException.of(
              MetaqException.Reason.TIMEOUT,
              "no answer to a request to topic '" + message.topic() + "' within " + timeoutMs + " ms"));
    }

    /** A broker that brings the answer has stored the request, so that its own answer is not waited for. */
    void end(Future<Message> result) {
      cancel();
      result.onSuccess(promise::tryComplete).onFailure(promise::tryFail);
    }

    @Override
    public Future<Message> future() {
      return promise.future();
    }

    @Override
    public void cancel() {
      forget();
      if (sending != null) {
        sending.cancel();
      }
    }

    private void forget() {
      asking.remove(correlationId);
      home.cancel(timer);
    }
  }
}
