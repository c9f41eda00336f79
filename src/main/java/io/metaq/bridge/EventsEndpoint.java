package io.metaq.bridge;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;

/** {@code GET /v1/topics/{topic}/events}: a topic as Server-Sent Events, for a private reader or as a member of a group. */
final class EventsEndpoint implements Endpoint {
  private final Vertx vertx;
  private final Readings readings;
  private final BridgeLimits limits;

  EventsEndpoint(Vertx vertx, Readings readings, BridgeLimits limits) {
    this.vertx = vertx;
    this.readings = readings;
    this.limits = limits;
  }

  @Override
  public Future<Answer> serve(Call call) {
    Wanted wanted = Wanted.of(call.topic(), call.query("group"), call.query("filter"), call.query("filterType"), call.from());
    if (!call.query("ack").orElse("auto").equals("auto")) {
      throw Fault.INVALID.because("'ack' must be auto: events cannot be acknowledged one by one; a WebSocket can do that");
    }
    Optional<String> lastEvent = call.header("Last-Event-ID").filter(id -> !id.isEmpty());
    lastEvent.ifPresent(id -> ReadPosition.parse(wanted.topic(), id));
    Room room = new Room(0);
    EventStream stream = new EventStream(vertx, call.request().response(), limits.commentMs(), room);
    Future<Reading> reading = wanted.group().isPresent()
        ? readings.member(wanted, false, room, stream) : readings.alone(wanted, lastEvent, room, stream);
    return reading.map(source -> {
      EventStream.head(call.request().response());
      stream.begin(source);
      return Answer.TAKEN_OVER;
    });
  }
}
