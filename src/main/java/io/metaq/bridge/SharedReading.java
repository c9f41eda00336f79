package io.metaq.bridge;

import io.metaq.client.Delivery;
import io.metaq.client.MetaqClient;
import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Flow;

/**
 * This process as one member of a group: what it is allotted of one topic, shared among the seats of its subscribers, each message to one
 * of them in turn as they have room. No more is brought than they have room for.
 */
@OwnedBy("BridgeVerticle")
final class SharedReading implements Flow.Subscriber<Delivery> {
  private static final long MOST_ASKED = 64;
  /** So much may be asked for at a time, as far as its size can be told before it comes. */
  private static final long MOST_ASKED_BYTES = 1 << 20;
  private static final int FORGETTING_SHIFT = 2;

  private final Wanted wanted;
  private final OutgoingBytes outgoing;
  private final OutgoingBytes.Turn room;
  private final Runnable onEmpty;
  private final List<Seat> seats = new ArrayList<>();
  /** Came when whoever had room for it was gone, or there is no room for it with what others have unwritten. */
  private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
  private Flow.Subscription flow;
  private long asked;
  /** What the next one may have: as much as the largest before it, which is forgotten soon. */
  private long expectedBytes = MOST_ASKED_BYTES;
  private int turn;
  private boolean over;

  /** @param onEmpty called when the last seat is left, and when the group can be read no more */
  SharedReading(Wanted wanted, OutgoingBytes outgoing, Runnable onEmpty) {
    this.wanted = wanted;
    this.outgoing = outgoing;
    this.room = outgoing.turn(this::more);
    this.onEmpty = onEmpty;
  }

  void start(MetaqClient client) {
    client.subscribe(wanted.subscription(wanted.from())).subscribe().withSubscriber(this);
  }

  /** @throws BridgeException {@code CONFLICT} when the group is read under another filter here */
  void join(Seat seat, Wanted as) {
    if (!wanted.sameFilter(as)) {
      throw Fault.CONFLICT.because("other subscribers of this server read the topic '" + wanted.topic() + "' for the group '"
          + wanted.group().orElseThrow() + "' with the filter '" + Text.printable(wanted.filter())
          + "'; members of a group must have the same");
    }
    seats.add(seat);
    more();
  }

  /** Completes when what the seat had is open for others; the last one takes the membership along. */
  Future<Void> leave(Seat seat) {
    if (!seats.remove(seat)) {
      return Future.succeededFuture();
    }
    return seat.giveBackAll().onComplete(done -> {
      if (seats.isEmpty()) {
        end();
      } else {
        more();
      }
    });
  }

  private void end() {
    if (!over) {
      over = true;
      room.forgo();
      flow.cancel();
      waiting.clear();
      onEmpty.run();
    }
  }

  /** Gives out what waits and asks for what there is room for. */
  void more() {
    giveOut();
    long free = Math.min(Math.min(MOST_ASKED, Math.max(1, MOST_ASKED_BYTES / expectedBytes)), seats.stream().mapToLong(Seat::free).sum());
    long missing = free - waiting.size() - asked;
    if (missing > 0 && !room.waits() && flow != null && !over) {
      asked += missing;
      flow.request(missing);
    }
  }

  private void giveOut() {
    while (!waiting.isEmpty() && !room.waits()) {
      Optional<Seat> seat = nextFree();
      if (seat.isEmpty()) {
        room.forgo();
        return;
      }
      long bytes = new MessageText(waiting.peek().found()).bytes();
      if (!room.take(bytes, true)) {
        return;
      }
      seat.get().give(waiting.poll()).onComplete(written -> outgoing.release(bytes));
    }
  }

  private Optional<Seat> nextFree() {
    for (int i = 0; i < seats.size(); i++) {
      Seat seat = seats.get((turn + i) % seats.size());
      if (seat.free() > 0) {
        turn = (turn + i + 1) % seats.size();
        return Optional.of(seat);
      }
    }
    return Optional.empty();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    flow = subscription;
    more();
  }

  @Override
  public void onNext(Delivery delivery) {
    asked--;
    expectedBytes = Math.max(new MessageText(delivery.found()).bytes(), expectedBytes - (expectedBytes >> FORGETTING_SHIFT));
    if (!over) {
      waiting.add(delivery);
      more();
    }
  }

  @Override
  public void onError(Throwable failure) {
    over = true;
    room.forgo();
    onEmpty.run();
    List.copyOf(seats).forEach(seat -> seat.failed(failure));
  }

  @Override
  public void onComplete() {
    onError(Fault.UNAVAILABLE.because("the server is stopping"));
  }

  /** Leases that have run out are given back. */
  void sweep() {
    List.copyOf(seats).forEach(Seat::sweep);
  }
}
