package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber and the lanes its messages wait in. Items go out on the subscriber's own context when it has one, never more than it
 * asked for, and never two at a time. Lanes take turns, so that none waits for another's messages to be handled.
 */
@OwnedBy("its client's context")
final class Feed implements Flow.Subscription {
  private static final Logger log = LoggerFactory.getLogger(Feed.class);

  /** Messages of one lane before it is another's turn. */
  private static final int MAX_RUN = 32;

  /** What may be on the way to a context of the subscriber's that is busy, whatever the demand; beyond it messages wait in their lanes. */
  private static final int MOST_ON_THE_WAY = 1024;
  private static final long MOST_BYTES_ON_THE_WAY = 1 << 20;

  private final Home home;
  private final Context caller;
  private final ArrayDeque<Lane> turns = new ArrayDeque<>();
  private final Demand demand = new Demand();
  private Source source;
  private boolean asked;
  private boolean handingOut;

  /** Handed out to the caller's context, and not yet with the subscriber there. */
  private int onTheWay;
  private long onTheWayBytes;
  private boolean over;

  /** Null once nothing may be signalled any more: set by whoever cancels, read where items go out. */
  private volatile Flow.Subscriber<? super Delivery> subscriber;

  /** Who fills a feed. */
  interface Source {
    /** The subscriber asked for the first time: reading may begin. */
    void demanded();

    /** The subscriber wants no more. */
    void cancelled();
  }

  /**
   * A feed that begins when it gets its source.
   *
   * @param caller the context the subscriber lives on, null for none
   */
  Feed(Home home, Context caller, Flow.Subscriber<? super Delivery> subscriber) {
    this.home = home;
    this.caller = caller;
    this.subscriber = subscriber;
  }

  /** Says who fills it; once. */
  void from(Source filler) {
    source = filler;
    if (over) {
      filler.cancelled();
    } else if (asked) {
      filler.demanded();
    }
  }

  /** Whether anything was asked for yet. */
  boolean asked() {
    return asked;
  }

  /** Something may be available in a lane; {@link #drain} follows. */
  void ready(Lane lane) {
    if (!over && lane.available() && lane.enqueue()) {
      turns.add(lane);
    }
  }

  /** Hands out what is asked for and there. */
  void drain() {
    if (handingOut) {
      return;
    }
    handingOut = true;
    try {
      long before = onTheWayBytes;
      for (List<QueuedDelivery> out = takeAsked(); !out.isEmpty(); out = takeAsked()) {
        handOut(out, onTheWayBytes - before);
        before = onTheWayBytes;
      }
    } finally {
      handingOut = false;
    }
  }

  private void handOut(List<QueuedDelivery> batch, long bytes) {
    home.runOn(caller, () -> {
      batch.forEach(this::next);
      home.run(() -> {
        boolean full = isFull();
        onTheWay -= batch.size();
        onTheWayBytes -= bytes;
        if (full) {
          drain();
        }
      });
    });
  }

  private boolean isFull() {
    return onTheWay >= MOST_ON_THE_WAY || onTheWayBytes >= MOST_BYTES_ON_THE_WAY;
  }

  /** Takes what there is room for; from then on it is on the way. */
  private List<QueuedDelivery> takeAsked() {
    List<QueuedDelivery> taken = new ArrayList<>();
    while (demand.isOpen() && !turns.isEmpty() && !isFull()) {
      Lane lane = turns.poll();
      lane.dequeue();
      for (int run = 0; run < MAX_RUN && !isFull() && lane.available() && demand.take(); run++) {
        QueuedDelivery next = lane.take();
        onTheWay++;
        onTheWayBytes += next.received().stored().size();
        taken.add(next);
      }
      ready(lane);
    }
    return taken;
  }

  /** No more will come; what waits is dropped. */
  void complete() {
    if (end()) {
      home.runOn(caller, () -> {
        Flow.Subscriber<? super Delivery> last = subscriber;
        subscriber = null;
        if (last != null) {
          guarded(last::onComplete);
        }
      });
    }
  }

  void fail(Throwable failure) {
    if (end()) {
      home.runOn(caller, () -> {
        Flow.Subscriber<? super Delivery> last = subscriber;
        subscriber = null;
        if (last != null) {
          guarded(() -> last.onError(failure));
        }
      });
    }
  }

  @Override
  public void request(long n) {
    home.run(() -> {
      if (over) {
        return;
      }
      if (n <= 0) {
        if (source != null) {
          source.cancelled();
        }
        fail(new IllegalArgumentException("a subscriber asked for " + n + " items; at least 1 is allowed (rule 3.9)"));
        return;
      }
      boolean first = !asked;
      asked = true;
      demand.add(n);
      if (first && source != null) {
        source.demanded();
      }
      drain();
    });
  }

  @Override
  public void cancel() {
    subscriber = null;
    home.run(() -> {
      if (end() && source != null) {
        source.cancelled();
      }
    });
  }

  private boolean end() {
    boolean first = !over;
    over = true;
    turns.clear();
    return first;
  }

  /** A subscriber that throws at its end is in nobody's way: others end, too. */
  private static void guarded(Runnable last) {
    try {
      last.run();
    } catch (RuntimeException | Error broken) {
      log.error("a subscriber threw when its stream ended", broken);
    }
  }

  private void next(QueuedDelivery delivery) {
    Flow.Subscriber<? super Delivery> receiver = subscriber;
    if (receiver == null) {
      return;
    }
    try {
      receiver.onNext(delivery);
    } catch (RuntimeException | Error broken) {
      log.error("a subscriber threw and is cancelled, its messages are delivered again delivery={}", delivery, broken);
      cancel();
    }
  }
}
