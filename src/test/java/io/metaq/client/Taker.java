package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A subscriber that asks for just so much and keeps what comes. */
final class Taker implements Flow.Subscriber<Delivery> {
  private final BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
  private final List<Delivery> taken = new ArrayList<>();
  private final CompletableFuture<Throwable> failed = new CompletableFuture<>();
  private final CompletableFuture<Boolean> completed = new CompletableFuture<>();
  private final long firstDemand;
  private volatile Flow.Subscription subscription;

  Taker(long firstDemand) {
    this.firstDemand = firstDemand;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (firstDemand > 0) {
      given.request(firstDemand);
    }
  }

  @Override
  public void onNext(Delivery delivery) {
    arrived.add(delivery);
  }

  @Override
  public void onError(Throwable failure) {
    failed.complete(failure);
  }

  @Override
  public void onComplete() {
    completed.complete(true);
  }

  void request(long more) {
    subscription.request(more);
  }

  void cancel() {
    subscription.cancel();
  }

  List<Delivery> next(int count) {
    List<Delivery> next = new ArrayList<>();
    while (next.size() < count) {
      Delivery delivery = poll();
      assertThat(delivery).as("delivery %d of %d", next.size() + 1, count).isNotNull();
      next.add(delivery);
    }
    taken.addAll(next);
    return next;
  }

  List<Delivery> all() {
    return taken;
  }

  int waiting() {
    return arrived.size();
  }

  Throwable failure() {
    return failed.orTimeout(ConsumerTestBase.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }

  boolean completed() {
    return completed.orTimeout(ConsumerTestBase.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
  }

  private Delivery poll() {
    try {
      return arrived.poll(ConsumerTestBase.LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
