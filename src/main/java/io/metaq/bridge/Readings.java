package io.metaq.bridge;

import io.metaq.client.MetaqClient;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All that is read for subscribers of this process: private readers, and one membership for each group and topic. */
@OwnedBy("BridgeVerticle")
final class Readings {
  private final MetaqClient client;
  private final BridgeLimits limits;
  private final Clock clock;
  private final GiveBack giveBack;
  private final TopicStreams streams;
  private final Map<Membership, SharedReading> shared = new HashMap<>();

  private record Membership(String group, String topic) {}

  Readings(Vertx vertx, MetaqClient client, BridgeLimits limits, Clock clock) {
    this.client = client;
    this.limits = limits;
    this.clock = clock;
    this.giveBack = new GiveBack(vertx);
    this.streams = new TopicStreams(
        (wanted, from, stream) -> client.subscribe(wanted.subscription(from)).subscribe().withSubscriber(stream));
  }

  /** @return fails when there is no such topic, or the position is none of it */
  Future<Reading> alone(Wanted wanted, Optional<String> position, Room room, Outlet outlet) {
    return PrivateReading.start(client, streams, wanted, position, room, outlet);
  }

  /** @return fails when there is no such topic, or the group is read under another filter here */
  Future<Reading> member(Wanted wanted, boolean byHand, Room room, Outlet outlet) {
    return Unis.future(client.queues(wanted.topic())).map(there -> {
      Membership membership = new Membership(wanted.group().orElseThrow(), wanted.topic());
      SharedReading reading = shared.get(membership);
      SharedReading joined = reading == null ? begin(membership, wanted) : reading;
      Seat seat = new Seat(joined, wanted, room, outlet, byHand, limits.leaseMs(), giveBack, clock);
      joined.join(seat, wanted);
      return seat;
    });
  }

  private SharedReading begin(Membership membership, Wanted wanted) {
    SharedReading reading = new SharedReading(wanted, () -> shared.remove(membership));
    shared.put(membership, reading);
    reading.start(client);
    return reading;
  }

  /** Leases that have run out are given back. */
  void sweep() {
    List.copyOf(shared.values()).forEach(SharedReading::sweep);
  }

  /** Completes when nothing that was open here is on its way back any more. */
  Future<Void> settled() {
    return giveBack.settled();
  }
}
