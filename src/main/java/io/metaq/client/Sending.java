package io.metaq.client;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.SendAnswer;
import io.metaq.codec.remoting.SendRequest;
import io.metaq.model.OwnedBy;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One parcel on its way, over all its attempts: waits for room, picks a queue, sends, and tries again elsewhere while that can help
 * and time is left.
 *
 * <pre>
 *   WAITING --admitted--> TRYING --retryable failure--> PAUSED --delay--> TRYING
 *      |                    |                             |
 *      +------- given up, refused, answered, failed ------+--> DONE
 * </pre>
 */
@OwnedBy("its client's context")
final class Sending<R> implements InFlight.Guest, Home.Work<R>, Link.SendListener {
  private enum State {
    WAITING,
    TRYING,
    PAUSED,
    DONE
  }

  private static final long NO_TIMER = -1;

  private final SendParts parts;
  private final Parcel<R> parcel;
  private final Promise<R> promise = Promise.promise();
  private final long deadlineNs;
  private State state = State.WAITING;
  private Route route;
  private TopicQueue queue;
  private Address master;
  private String avoidBroker;
  private MetaqException lastFailure;
  private int attempts;
  private int refusals;
  private long timer = NO_TIMER;

  private Sending(SendParts parts, Parcel<R> parcel) {
    this.parts = parts;
    this.parcel = parcel;
    this.deadlineNs = parts.home().clock().nanos() + parts.sendTimeoutMs() * 1_000_000;
  }

  /** Begins to send. */
  static <R> Sending<R> begin(SendParts parts, Parcel<R> parcel) {
    Sending<R> sending = new Sending<>(parts, parcel);
    parts.inFlight().enter(sending);
    return sending;
  }

  @Override
  public Future<R> future() {
    return promise.future();
  }

  @Override
  public int messages() {
    return parcel.messages();
  }

  @Override
  public int bytes() {
    return parcel.bytes();
  }

  @Override
  public void admitted() {
    state = State.TRYING;
    Future<Void> ready = parts.packing().ready(parcel);
    if (ready == null) {
      attempt();
    } else {
      ready.onComplete(packed -> whileTrying(packed, ignored -> attempt()));
    }
  }

  @Override
  public void refused() {
    state = State.DONE;
    promise.fail(closedFailure());
  }

  /** The client closes: what is on the wire may still be answered, but nothing is tried again. */
  void closing() {
    if (state == State.PAUSED) {
      fail(closedFailure());
    }
  }

  /**
   * Frees the place: at once, or when the bytes have left if they were given to a connection, so that they cannot pile up there.
   */
  @Override
  public void cancel() {
    State before = state;
    state = State.DONE;
    disarm();
    switch (before) {
      case WAITING -> parts.inFlight().giveUp(this);
      case PAUSED -> {
        parts.paused().remove(this);
        parts.inFlight().leave(this);
      }
      case TRYING -> {
        Link link = master == null ? null : parts.links().ready(master);
        if (link == null) {
          parts.inFlight().leave(this);
        } else {
          link.written().onComplete(gone -> parts.inFlight().leave(this));
        }
      }
      case DONE -> {
        // answered before the wish to cancel came here
      }
    }
  }

  private void attempt() {
    long nowNs = parts.home().clock().nanos();
    if (nowNs - deadlineNs >= 0) {
      fail(lastFailure != null ? lastFailure : noRoom());
      return;
    }
    Route known = parts.routes().ready(parcel.topic(), nowNs);
    if (known != null) {
      send(known, nowNs);
    } else {
      arm(nowNs);
      parts
          .routes()
          .forSending(parcel.topic())
          .onComplete(found -> whileTrying(found, fresh -> send(fresh, parts.home().clock().nanos())));
    }
  }

  private void send(Route current, long nowNs) {
    route = current;
    Optional<TopicQueue> chosen = chosen(current);
    if (chosen.isEmpty()) {
      parts.routes().suspect(parcel.topic());
      failed(noQueue());
      return;
    }
    queue = chosen.get();
    master = route.master(queue.broker()).orElseThrow();
    SendRequest request = parcel.request(queue, parts.home().clock().millis());
    Link link = parts.links().ready(master);
    if (link != null) {
      send(link, request, nowNs);
    } else {
      arm(nowNs);
      parts
          .links()
          .to(master)
          .onFailure(failure -> lost())
          .onComplete(made -> whileTrying(made, fresh -> send(fresh, request, parts.home().clock().nanos())));
    }
  }

  private void send(Link link, SendRequest request, long nowNs) {
    disarm();
    if (request.oneWay()) {
      link.tell(request).onComplete(left -> whileTrying(left, ignored -> succeed(null)));
    } else {
      long timeoutMs = Math.max(1, Math.min((deadlineNs - nowNs) / 1_000_000, parts.requestTimeoutMs()));
      link.call(request, nowNs, timeoutMs, this);
    }
  }

  /** On the slow way, over a route or a connection that is not there yet, nobody else looks at this send's time. */
  private void arm(long nowNs) {
    if (timer == NO_TIMER) {
      timer = parts.home().after((deadlineNs - nowNs) / 1_000_000, this::late);
    }
  }

  private void disarm() {
    if (timer != NO_TIMER) {
      parts.home().cancel(timer);
      timer = NO_TIMER;
    }
  }

  private void late() {
    timer = NO_TIMER;
    fail(lastFailure != null ? lastFailure : noWay());
  }

  private Optional<TopicQueue> chosen(Route current) {
    if (current.writable().isEmpty()) {
      return Optional.empty();
    }
    Target target = parcel.target();
    return target.isAny() ? Optional.of(parts.chooser().choose(current.writable(), avoidBroker)) : target.in(current.writable());
  }

  @Override
  public void answered(SendAnswer answer) {
    parts.health().succeeded(queue.broker());
    if (state == State.TRYING) {
      read(answer);
    }
  }

  @Override
  public void unanswered(MetaqException failure) {
    lost();
    if (state == State.TRYING) {
      failed(failure);
    }
  }

  private void read(SendAnswer answer) {
    Optional<R> receipt;
    try {
      receipt = parcel.receipt(answer, queue);
    } catch (HeaderException incomplete) {
      failed(
          MetaqException.of(
              MetaqException.Reason.CONNECTION,
              queue.broker() + " sent an incomplete answer: " + incomplete.getMessage(),
              incomplete));
      return;
    }
    if (receipt.isPresent()) {
      succeed(receipt.get());
    } else {
      refusals++;
      if (RetryPolicy.doubtsRoute(answer.code())) {
        parts.routes().suspect(parcel.topic());
      }
      failed(MetaqException.refused(queue.broker(), answer.code(), answer.remark()));
    }
  }

  /** The broker is not to be had now, or does not answer. */
  private void lost() {
    parts.health().failed(queue.broker());
    parts.routes().suspect(parcel.topic());
  }

  private void failed(Throwable cause) {
    disarm();
    attempts++;
    MetaqException failure =
        cause instanceof MetaqException typed
            ? typed
            : MetaqException.of(MetaqException.Reason.CONNECTION, "the send failed: " + cause, cause);
    long delayMs = parts.backoff().delayMs(attempts);
    boolean timeLeft = deadlineNs - parts.home().clock().nanos() > delayMs * 1_000_000;
    if (!timeLeft || !worthRepeating(failure)) {
      fail(failure);
    } else if (parts.inFlight().closed()) {
      fail(closedFailure());
    } else {
      avoidBroker = queue == null ? null : queue.broker();
      lastFailure = failure;
      state = State.PAUSED;
      parts.paused().add(this);
      parts.home().after(delayMs, this::resume);
    }
  }

  private boolean worthRepeating(MetaqException failure) {
    return parts.policy().again(failure, refusals, hasOtherBroker()) && (refusals == 0 || parcel.repeatedWhenRefused());
  }

  private void resume() {
    if (state == State.PAUSED) {
      parts.paused().remove(this);
      state = State.TRYING;
      attempt();
    }
  }

  private void succeed(R receipt) {
    done();
    promise.complete(receipt);
  }

  private void fail(MetaqException failure) {
    done();
    promise.fail(failure);
  }

  private void done() {
    disarm();
    parts.paused().remove(this);
    state = State.DONE;
    parts.inFlight().leave(this);
  }

  /** Another broker can only help a parcel that may go anywhere. */
  private boolean hasOtherBroker() {
    return queue != null
        && parcel.target().isAny()
        && route.writable().stream().anyMatch(other -> !other.broker().equals(queue.broker()));
  }

  private <T> void whileTrying(AsyncResult<T> result, Consumer<T> next) {
    if (state != State.TRYING) {
      return;
    }
    if (result.succeeded()) {
      next.accept(result.result());
    } else {
      failed(result.cause());
    }
  }

  private MetaqException noRoom() {
    return MetaqException.of(
        MetaqException.Reason.TIMEOUT,
        "the message to topic '" + parcel.topic() + "' found no room in flight within " + parts.sendTimeoutMs() + " ms");
  }

  private MetaqException noWay() {
    return MetaqException.of(
        MetaqException.Reason.TIMEOUT,
        "the message to topic '" + parcel.topic() + "' had no route or no connection within " + parts.sendTimeoutMs() + " ms");
  }

  private MetaqException noQueue() {
    boolean noneAtAll = route.writable().isEmpty() || parcel.target().isAny();
    String what = noneAtAll ? "the topic '" + parcel.topic() + "'" : parcel.target().toString();
    return MetaqException.of(noneAtAll ? MetaqException.Reason.NO_BROKER : MetaqException.Reason.NO_ROUTE,
        "no broker takes messages for " + what + " now");
  }

  private static MetaqException closedFailure() {
    return MetaqException.of(MetaqException.Reason.CLOSED, "the client is closed");
  }
}
