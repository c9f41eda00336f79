package io.metaq.client;

import io.metaq.model.OwnedBy;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A subscriber that is in no group: it reads every queue of the topic, and its position is nowhere but here. Looks for new queues every
 * 20 s, every second while the topic does not exist.
 */
@OwnedBy("its client's context")
final class LoneReading implements Feed.Source, Settlement {
  private static final Logger log = LoggerFactory.getLogger(LoneReading.class);
  private static final long TICK_MS = 1000;
  private static final int TICKS_BETWEEN_LOOKS = 20;

  /** A group that brokers let read without being registered. */
  static final String READER_GROUP = "TOOLS_CONSUMER";

  private final ClientParts parts;
  private final Subscription subscription;
  private final Feed feed;
  private final Pulls.Reader who;
  private final TopicShare<Lone> share = new TopicShare<>();
  private final Runnable onEnd;

  /** Where queues were that the route did not name any more; they may come back. */
  private final Map<TopicQueue, Long> left = new HashMap<>();
  private long timer = -1;
  private int ticks;
  private boolean found;
  private boolean ended;

  LoneReading(ClientParts parts, Subscription subscription, Feed feed, Runnable onEnd) {
    this.parts = parts;
    this.subscription = subscription;
    this.feed = feed;
    this.onEnd = onEnd;
    this.who = new Pulls.Reader(READER_GROUP, subscription.filter(0), false);
  }

  /** Begins, unless its subscriber is gone already; a first look that cannot reach any name server fails the subscriber. */
  void start() {
    if (ended) {
      return;
    }
    timer = parts.home().every(TICK_MS, this::tick);
    parts.routes().retain(subscription.topic());
    parts
        .routes()
        .forReading(subscription.topic())
        .onComplete(
            route -> {
              if (route.failed()) {
                feed.fail(route.cause());
                cancelled();
              } else if (route.result().isEmpty()) {
                log.warn("the topic does not exist yet, waiting for it topic={}", subscription.topic());
                share.seen(Set.of());
              } else {
                readChecked(route.result().get());
              }
            });
  }

  /** Completes the subscriber. */
  void end() {
    feed.complete();
    cancelled();
  }

  @Override
  public void demanded() {
    share.readers().forEach(lone -> lone.reader.read());
  }

  @Override
  public void cancelled() {
    if (!ended) {
      ended = true;
      if (timer >= 0) {
        parts.home().cancel(timer);
        parts.routes().release(subscription.topic());
      }
      share.readers().forEach(Lone::stop);
      onEnd.run();
    }
  }

  @Override
  public void handedOut(QueuedDelivery delivery) {
    delivery.settle();
  }

  @Override
  public void acknowledged(QueuedDelivery delivery) {
    // there is no progress to store
  }

  @Override
  public Future<Void> sentBack(QueuedDelivery delivery, Optional<Duration> delay) {
    return Future.failedFuture(
        MetaqException.of(MetaqException.Reason.INVALID, "only a member of a group can send a message back; give the subscription a group"));
  }

  private void tick() {
    ticks++;
    if (!found || ticks % TICKS_BETWEEN_LOOKS == 0) {
      parts.routes().forReading(subscription.topic()).onSuccess(route -> route.ifPresent(this::readChecked));
    }
  }

  /** Reads once the brokers have passed the filter. */
  private void readChecked(Route route) {
    if (found) {
      readAll(route);
      return;
    }
    new FilterCheck(parts)
        .passes(route, READER_GROUP, who.filter())
        .onSuccess(passed -> readAll(route))
        .onFailure(
            refused -> {
              feed.fail(refused);
              cancelled();
            });
  }

  private void readAll(Route route) {
    if (ended) {
      return;
    }
    found = true;
    share.seen(route.readable());
    TopicShare.Change<Lone> change = share.changeTo(new HashSet<>(route.readable()));
    for (Lone lost : change.lost()) {
      lost.stop();
      left.put(lost.reader.queue(), lost.reader.progress());
      share.remove(lost.reader.queue());
    }
    for (TopicQueue queue : change.gained()) {
      Position position = share.beginning(queue, subscription.position());
      long before = left.getOrDefault(queue, -1L);
      read(queue, before < 0 ? () -> parts.offsets().of(queue, position) : () -> Future.succeededFuture(before));
    }
  }

  private void read(TopicQueue queue, Supplier<Future<Long>> beginning) {
    Lone lone = new Lone(queue);
    share.add(queue, lone);
    lone.reader.start(beginning);
  }

  /** One queue. */
  private final class Lone implements QueueReader.Inlet {
    private final QueueReader reader;
    private final Lane lane = new Lane(() -> true);

    Lone(TopicQueue queue) {
      reader = parts.readers().make(queue, who, this, subscription.readAhead(), subscription.maxUnsettled());
    }

    void stop() {
      reader.stop();
      lane.clear();
    }

    @Override
    public boolean open() {
      return feed.asked();
    }

    @Override
    public void message(QueueReader from, Received received) {
      if (!TagFilter.admits(who.filter(), received.message())) {
        return;
      }
      Unsettled.Slot slot = from.taken(received);
      if (received.fault().isPresent()) {
        log.warn("message passed over, its body cannot be unpacked message={} cause={}", received.messageId(), received.fault().get());
        from.passedOver(received);
        from.settle(slot);
      } else {
        lane.add(new QueuedDelivery(parts.home(), from, slot, received, LoneReading.this));
      }
    }

    @Override
    public void handOut() {
      feed.ready(lane);
      feed.drain();
    }

    @Override
    public void moved(long queueOffset) {
      stop();
      read(reader.queue(), () -> Future.succeededFuture(queueOffset));
    }

    @Override
    public void unknownToBroker() {
      // each request carries all that the broker needs to know
    }
  }
}
