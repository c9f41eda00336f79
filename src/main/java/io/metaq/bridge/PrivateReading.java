package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.FoundMessage;
import io.metaq.client.MetaqClient;
import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Flow;

/** Reads every queue of a topic for one outlet alone. Its position is in what it sends, and nowhere else. */
@OwnedBy("BridgeVerticle")
final class PrivateReading implements Reading, Flow.Subscriber<Delivery> {
  private final ReadPosition position;
  private final Room room;
  private final Outlet outlet;
  private Flow.Subscription flow;
  private long asked;
  private long handles;
  private boolean stopped;

  private PrivateReading(ReadPosition position, Room room, Outlet outlet) {
    this.position = position;
    this.room = room;
    this.outlet = outlet;
  }

  /**
   * Begins where the position says, or else where it is wanted from.
   *
   * @return fails when there is no such topic
   */
  static Future<Reading> start(MetaqClient client, Wanted wanted, Optional<String> position, Room room, Outlet outlet) {
    Optional<ReadPosition> resumed = position.map(text -> ReadPosition.parse(wanted.topic(), text));
    return Unis.future(client.offsets(wanted.topic(), wanted.from()))
        .map(offsets -> resumed.orElseGet(() -> ReadPosition.of(wanted.topic(), offsets)))
        .map(begin -> {
          PrivateReading reading = new PrivateReading(begin, room, outlet);
          client.subscribe(wanted.subscription(Position.at(begin.offsets()))).subscribe().withSubscriber(reading);
          return reading;
        });
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    flow = subscription;
    more();
  }

  @Override
  public void more() {
    long free = room.free() - asked;
    if (free > 0 && !stopped) {
      asked += free;
      flow.request(free);
    }
  }

  @Override
  public void onNext(Delivery delivery) {
    asked--;
    if (stopped) {
      return;
    }
    FoundMessage found = delivery.found();
    position.passed(new TopicQueue(found.message().topic(), found.broker(), found.queueId()), found.queueOffset());
    Item item = new Item(found, Long.toString(++handles), position.text());
    room.writing(item.bytes());
    outlet.message(item).onComplete(written -> {
      room.written(item.bytes());
      more();
    });
  }

  @Override
  public void onError(Throwable failure) {
    outlet.failed(failure);
  }

  @Override
  public void onComplete() {
    outlet.failed(Fault.UNAVAILABLE.because("the server is stopping"));
  }

  @Override
  public Future<Void> stop() {
    stopped = true;
    flow.cancel();
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> acknowledge(String handle) {
    return nothingToSettle();
  }

  @Override
  public Future<Void> sendBack(String handle, Optional<Duration> delay) {
    return nothingToSettle();
  }

  private static Future<Void> nothingToSettle() {
    return Future.failedFuture(Fault.CONFLICT.because("only a member of a group with ack=manual settles messages"));
  }

  @Override
  public String position() {
    return position.text();
  }
}
