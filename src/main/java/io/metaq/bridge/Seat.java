package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.FoundMessage;
import io.metaq.client.TopicQueue;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One subscriber's share in a group. By itself, a message is acknowledged when the network has taken it; by hand, it is leased
 * until it is settled. What runs out or is left behind goes back to the broker, whose retries bring it to another member, and count
 * it.
 */
@OwnedBy("BridgeVerticle")
final class Seat implements Reading {
  private final SharedReading reading;
  private final Room room;
  private final Outlet outlet;
  private final boolean byHand;
  private final GiveBack giveBack;
  private final Clock clock;
  private final long leaseMs;
  private final ReadPosition position;
  /** In the order in which they run out. */
  private final Map<String, Lease> leases = new LinkedHashMap<>();
  private long handles;
  private boolean gone;

  private record Lease(Delivery delivery, long dueNs) {}

  Seat(SharedReading reading, Wanted wanted, Room room, Outlet outlet, boolean byHand, long leaseMs, GiveBack giveBack, Clock clock) {
    this.reading = reading;
    this.room = room;
    this.outlet = outlet;
    this.byHand = byHand;
    this.leaseMs = leaseMs;
    this.giveBack = giveBack;
    this.clock = clock;
    this.position = ReadPosition.of(wanted.topic(), Map.of());
  }

  /** Nothing more once a write has failed: what is given to a connection that dies would use up attempts. */
  long free() {
    return gone ? 0 : room.free();
  }

  void give(Delivery delivery) {
    FoundMessage found = delivery.found();
    String handle = Long.toString(++handles);
    position.passed(new TopicQueue(found.message().topic(), found.broker(), found.queueId()), found.queueOffset());
    if (byHand) {
      leases.put(handle, new Lease(delivery, clock.nanos() + leaseMs * 1_000_000));
    }
    Item item = new Item(new MessageText(found), handle, position.text());
    room.writing(item.bytes());
    outlet.message(item).onComplete(written -> {
      room.written(item.bytes());
      gone |= written.failed();
      if (!byHand) {
        settleWritten(delivery, written.succeeded());
      }
      reading.more();
    });
  }

  private void settleWritten(Delivery delivery, boolean written) {
    if (written) {
      Unis.future(delivery.ack());
    } else {
      giveBack.soon(delivery);
    }
  }

  void failed(Throwable cause) {
    leases.clear();
    outlet.failed(cause);
  }

  void sweep() {
    long nowNs = clock.nanos();
    for (Iterator<Lease> all = leases.values().iterator(); all.hasNext();) {
      Lease lease = all.next();
      if (lease.dueNs - nowNs > 0) {
        return;
      }
      all.remove();
      giveBack.soon(lease.delivery);
    }
  }

  /** Completes when the broker has all that was leased, or was asked in vain. */
  Future<Void> giveBackAll() {
    List<Future<Void>> back = new ArrayList<>();
    leases.values().forEach(lease -> back.add(giveBack.soon(lease.delivery)));
    leases.clear();
    return Future.join(back).transform(done -> Future.succeededFuture());
  }

  @Override
  public void more() {
    reading.more();
  }

  @Override
  public Future<Void> stop() {
    return reading.leave(this);
  }

  @Override
  public Future<Void> acknowledge(String handle) {
    return taken(handle).compose(delivery -> Unis.future(delivery.ack()));
  }

  @Override
  public Future<Void> sendBack(String handle, Optional<Duration> delay) {
    return taken(handle).compose(delivery -> Unis.future(delay.map(delivery::nack).orElseGet(delivery::nack))
        // Its lease is gone, so nobody else would.
        .onFailure(failure -> giveBack.soon(delivery)));
  }

  private Future<Delivery> taken(String handle) {
    if (!byHand) {
      return Future.failedFuture(Fault.CONFLICT.because("the subscription acknowledges by itself; subscribe with \"ack\":\"manual\""));
    }
    Lease lease = leases.remove(handle);
    return lease == null
        ? Future.failedFuture(Fault.UNKNOWN_HANDLE.because("no message is open under the handle '" + Text.printable(handle)
            + "': it is settled, or its lease has run out"))
        : Future.succeededFuture(lease.delivery);
  }

  @Override
  public String position() {
    return "";
  }
}
