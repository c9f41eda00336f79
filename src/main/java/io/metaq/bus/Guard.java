package io.metaq.bus;

import io.vertx.core.Handler;
import io.vertx.core.eventbus.Message;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wraps a bus handler so that a bug in it is logged with its cause and answered, instead of leaving the sender waiting: Vert.x only
 * tells the context's exception handler.
 */
public final class Guard {
  private static final Logger log = LoggerFactory.getLogger(Guard.class);

  private Guard() {}

  /** A handler whose failure is logged; for messages nobody waits for. */
  public static <T> Handler<Message<T>> logged(String what, Handler<T> handler) {
    return answering(what, handler, (body, failure) -> {});
  }

  /** A handler whose failure is logged and then handed to {@code onFailure} together with the body, so that it can be sent back. */
  public static <T> Handler<Message<T>> answering(String what, Handler<T> handler, BiConsumer<T, Throwable> onFailure) {
    return message -> {
      try {
        handler.handle(message.body());
      } catch (RuntimeException | Error failure) {
        log.error("a bus handler failed what={}", what, failure);
        onFailure.accept(message.body(), failure);
      }
    };
  }

  /** A request handler that may reply itself; its failure is logged and fails the request with code 1. */
  public static <T> Handler<Message<T>> replying(String what, Handler<Message<T>> handler) {
    return message -> {
      try {
        handler.handle(message);
      } catch (RuntimeException | Error failure) {
        log.error("a bus request failed what={}", what, failure);
        message.fail(1, what + ": " + failure);
      }
    };
  }
}
