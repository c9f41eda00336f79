package io.metaq.client;

import io.metaq.model.ResultCode;
import java.util.Optional;

/** Every failure of the client. The message is one sentence for people; the rest is for programs. */
public sealed class MetaqException extends RuntimeException permits SendAllException {
  private static final long serialVersionUID = 1L;

  /** What kind of thing went wrong. */
  public enum Reason {
    /** No name server of the list answered so that it can be read. */
    NO_NAME_SERVER(true),
    /** No broker serves the topic, or has the queue (yet). */
    NO_ROUTE(true),
    /** Who would have to do it is not there now: the broker has no master, or no broker is registered at all. */
    NO_BROKER(true),
    /** A connection could not be made, or broke before the answer came. The request may have been carried out. */
    CONNECTION(true),
    /** No answer in time. The request may have been carried out. */
    TIMEOUT(true),
    /** There is no such topic or group at the brokers that were asked. */
    NOT_FOUND(false),
    /** The server answered with an error; {@link MetaqException#code()} has it. */
    REFUSED(false),
    /** The request is wrong in itself; nothing was sent. */
    INVALID(false),
    /** The message was acknowledged or sent back before. */
    ALREADY_SETTLED(false),
    /**
     * This client does not read the queue any more as it did when the message was delivered: it belongs to another member by now, its lock
     * was lost, or reading was moved by a seek or a reset. What was not settled before is delivered again.
     */
    QUEUE_LOST(false),
    /** A body that was compressed cannot be unpacked: it is damaged, or the library for its format is not on the class path. */
    UNREADABLE(false),
    /** Code that the application gave, as a transaction's work, threw or failed; the cause is what it threw. */
    HANDLER(false),
    /** The client is closed. */
    CLOSED(false);

    private final boolean retryable;

    Reason(boolean retryable) {
      this.retryable = retryable;
    }
  }

  private final Reason reason;
  private final int code;
  private final String broker;
  private final boolean retryable;

  private MetaqException(Reason reason, int code, String broker, boolean retryable, String message, Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.code = code;
    this.broker = broker;
    this.retryable = retryable;
  }

  /** One that stands for others, of the kind of the first of them. */
  MetaqException(MetaqException first, boolean retryable, String message) {
    this(first.reason, first.code, first.broker, retryable, message, first);
  }

  static MetaqException of(Reason reason, String message) {
    return new MetaqException(reason, 0, null, reason.retryable, message, null);
  }

  static MetaqException of(Reason reason, String message, Throwable cause) {
    return new MetaqException(reason, 0, null, reason.retryable, message, cause);
  }

  /** What only a broker's master does cannot be done now. */
  static MetaqException noMaster(String broker) {
    return of(Reason.NO_BROKER, "broker " + broker + " has no master now");
  }

  /** An error answer of {@code server}. */
  static MetaqException refused(String server, int code, String remark) {
    Optional<ResultCode> known = ResultCode.of(code);
    String text = remark == null || remark.isBlank() ? known.map(ResultCode::meaning).orElse("no reason given") : remark.strip();
    return new MetaqException(
        Reason.REFUSED,
        code,
        server,
        known.map(ResultCode::retryable).orElse(false),
        server + " answered " + code + known.map(c -> " (" + c + ")").orElse("") + ": " + text,
        null);
  }

  /** An error answer of {@code server} to a request in plain words, as in "show topic 'orders'". */
  static MetaqException refused(String server, String request, int code, String remark) {
    Optional<ResultCode> known = ResultCode.of(code);
    String text = remark == null || remark.isBlank() ? known.map(ResultCode::meaning).orElse("no reason given") : remark.strip();
    return new MetaqException(
        Reason.REFUSED,
        code,
        server,
        known.map(ResultCode::retryable).orElse(false),
        "cannot " + request + ": " + server + " answered " + code + known.map(c -> " (" + c + ")").orElse("") + ": " + text,
        null);
  }

  /** As {@code failure}, of a request in plain words to {@code server}, which gave no answer. */
  static MetaqException unanswered(String server, String request, MetaqException failure) {
    return new MetaqException(failure.reason, failure.code, server, failure.retryable,
        "cannot " + request + ": " + server + " gave no answer: " + failure.getMessage(), failure);
  }

  public Reason reason() {
    return reason;
  }

  /** The wire number of the server's answer; 0 when there was no answer. */
  public int code() {
    return code;
  }

  /** Name or address of the server that answered, or that is known to have given no answer; else empty. */
  public Optional<String> broker() {
    return Optional.ofNullable(broker);
  }

  /** Whether the same request may succeed later. */
  public boolean retryable() {
    return retryable;
  }
}
