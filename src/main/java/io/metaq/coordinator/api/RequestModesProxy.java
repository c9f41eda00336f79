package io.metaq.coordinator.api;

import io.metaq.bus.LocalBus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** What can be asked of RequestModeVerticle. Completes on the caller's context. */
public final class RequestModesProxy {
  public static final String SET = "metaq.modes.set";
  public static final String FIND = "metaq.modes.find";

  private final Vertx vertx;

  public RequestModesProxy(Vertx vertx) {
    this.vertx = vertx;
  }

  /** A topic as one group consumes it. */
  public record Subject(String topic, String group) {}

  /** From now on the group consumes the topic in this way. */
  public record Setting(Subject subject, RequestMode mode) {}

  /** Completes when the setting is on disk. */
  public Future<Void> set(Setting setting) {
    return vertx.eventBus().request(SET, setting, LocalBus.LOCAL).mapEmpty();
  }

  /** What was set; empty when nothing was. */
  public Future<Optional<RequestMode>> find(String topic, String group) {
    return vertx.eventBus().<Optional<RequestMode>>request(FIND, new Subject(topic, group), LocalBus.LOCAL)
        .map(message -> message.body());
  }
}
