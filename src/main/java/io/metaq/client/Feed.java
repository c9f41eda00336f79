package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;

/**
 * One subscriber and what waits for its demand. Items go out on the subscriber's own context when it has one, never more than it asked
 * for, and never two at a time.
 */
@OwnedBy("its client's context")
final class Feed implements Flow.Subscription {
  private final Home home;
  private final Context caller;
  private final Flow.Subscriber<? super Delivery> subscriber;
  private final ArrayDeque<QueuedDelivery> ready = new ArrayDeque<>();
  private final Demand demand = new Demand();
  private Source source;
  private boolean asked;
  private boolean handingOut;
  private boolean over;

  /** Set by whoever cancels, read where items go out. */
  private volatile boolean cancelled;

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
    if (cancelled) {
      filler.cancelled();
    } else if (asked) {
      filler.demanded();
    }
  }

  /** Whether anything was asked for yet. */
  boolean asked() {
    return asked;
  }

  /** Puts a message behind those that wait. */
  void offer(QueuedDelivery delivery) {
    ready.add(delivery);
  }

  /** Hands out what is asked for and there. */
  void drain() {
    if (handingOut) {
      return;
    }
    handingOut = true;
    for (List<QueuedDelivery> out = takeAsked(); !out.isEmpty(); out = takeAsked()) {
      List<QueuedDelivery> batch = out;
      home.runOn(caller, () -> batch.forEach(this::next));
      batch.forEach(QueuedDelivery::handedOver);
    }
    handingOut = false;
  }

  private List<QueuedDelivery> takeAsked() {
    List<QueuedDelivery> taken = new ArrayList<>();
    while (!ready.isEmpty() && demand.take()) {
      taken.add(ready.poll());
    }
    return taken;
  }

  /** Drops what waits of a queue that is not read any more. */
  void drop(QueueReader reader) {
    ready.removeIf(delivery -> delivery.isOf(reader));
  }

  /** No more will come; what waits is dropped. */
  void complete() {
    if (end()) {
      home.runOn(caller, () -> {
        if (!cancelled) {
          subscriber.onComplete();
        }
      });
    }
  }

  void fail(Throwable failure) {
    if (end()) {
      home.runOn(caller, () -> {
        if (!cancelled) {
          subscriber.onError(failure);
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
        fail(new IllegalArgumentException("a subscriber asked for " + n + " items; at least 1 is allowed (rule 3.9)"));
        if (source != null) {
          source.cancelled();
        }
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
    cancelled = true;
    home.run(() -> {
      if (end() && source != null) {
        source.cancelled();
      }
    });
  }

  private boolean end() {
    boolean first = !over;
    over = true;
    ready.clear();
    return first;
  }

  private void next(QueuedDelivery delivery) {
    if (!cancelled) {
      subscriber.onNext(delivery);
    }
  }
}
