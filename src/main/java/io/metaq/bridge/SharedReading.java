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

  private final Wanted wanted;
  private final Runnable onEmpty;
  private final List<Seat> seats = new ArrayList<>();
  /** Came when whoever had room for it was gone. */
  private final ArrayDeque<Delivery> waiting = new ArrayDeque<>();
  private Flow.Subscription flow;
  private long asked;
  private int turn;
  private boolean over;

  /** @param onEmpty called when the last seat is left, and when the group can be read no more */
  SharedReading(Wanted wanted, Runnable onEmpty) {
    this.wanted = wanted;
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
      flow.cancel();
      waiting.clear();
      onEmpty.run();
    }
  }

  /** Gives out what waits and asks for what there is room for. */
  void more() {
    for (Optional<Seat> seat = nextFree(); !waiting.isEmpty() && seat.isPresent(); seat = nextFree()) {
      seat.get().give(waiting.poll());
    }
    long room = Math.min(MOST_ASKED, seats.stream().mapToLong(Seat::free).sum());
    long missing = room - waiting.size() - asked;
    if (missing > 0 && flow != null && !over) {
      asked += missing;
      flow.request(missing);
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
    if (!over) {
      waiting.add(delivery);
      more();
    }
  }

  @Override
  public void onError(Throwable failure) {
    over = true;
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
