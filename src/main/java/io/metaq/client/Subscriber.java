package io.metaq.client;

import io.metaq.model.OwnedBy;

/** The subscriber of one topic in a group: what it wants, where it goes, and what became of it. */
@OwnedBy("its client's context")
final class Subscriber {
  private final Subscription subscription;
  private final io.metaq.model.Subscription filter;
  private final Feed feed;
  private final Rate delivered = new Rate();
  private final Rate acknowledged = new Rate();
  private final Rate sentBack = new Rate();

  /**
   * A subscriber.
   *
   * @param version of its filter, ms since 1970
   */
  Subscriber(Subscription subscription, long version, Feed feed) {
    this.subscription = subscription;
    this.filter = subscription.filter(version);
    this.feed = feed;
  }

  Subscription subscription() {
    return subscription;
  }

  io.metaq.model.Subscription filter() {
    return filter;
  }

  Feed feed() {
    return feed;
  }

  Rate delivered() {
    return delivered;
  }

  Rate acknowledged() {
    return acknowledged;
  }

  Rate sentBack() {
    return sentBack;
  }

  /** Call once a second. */
  void tick() {
    delivered.tick();
    acknowledged.tick();
    sentBack.tick();
  }
}
