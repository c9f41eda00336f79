package io.metaq.cli;

import io.metaq.client.Delivery;
import io.metaq.model.OwnedBy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A subscriber for a thread that may block: holds a bounded number of deliveries until the thread takes them. */
@OwnedBy("the command's main thread takes, the client's puts")
final class DeliveryQueue implements Flow.Subscriber<Delivery> {
  private static final int WINDOW = 256;
  private static final int REFILL = WINDOW / 2;
  private static final long LOOK_MS = 50;

  private final BlockingQueue<Delivery> waiting = new LinkedBlockingQueue<>(WINDOW);
  private Flow.Subscription subscription;
  private volatile RuntimeException failure;
  private volatile boolean ended;
  private int taken;

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    given.request(WINDOW);
  }

  @Override
  public void onNext(Delivery delivery) {
    waiting.add(delivery);
  }

  @Override
  public void onError(Throwable cause) {
    failure = cause instanceof RuntimeException typed ? typed : new CompletionException(cause);
  }

  @Override
  public void onComplete() {
    ended = true;
  }

  /**
   * The next delivery, null when there is none for the moment.
   *
   * @throws RuntimeException the failure the stream ended with
   */
  Delivery poll() {
    try {
      // Looked at first: what was delivered before the failure is taken before it is told.
      RuntimeException known = failure;
      Delivery delivery = waiting.poll(LOOK_MS, TimeUnit.MILLISECONDS);
      if (delivery == null && known != null) {
        throw known;
      }
      if (delivery != null && ++taken == REFILL) {
        taken = 0;
        subscription.request(REFILL);
      }
      return delivery;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      ended = true;
      return null;
    }
  }

  /** Wants no more; what was not taken comes to nobody here. */
  void cancel() {
    subscription.cancel();
  }

  /** Whether nothing more can come; not after a failure, which {@link #poll} is to throw. */
  boolean ended() {
    return ended && waiting.isEmpty();
  }
}
