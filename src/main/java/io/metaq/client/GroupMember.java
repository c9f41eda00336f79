package io.metaq.client;

import io.metaq.codec.client.HeartbeatBody;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This client as a member of one group, as official push consumers are: it is in every heartbeat, takes its share of the queues of every
 * subscribed topic and of the group's retry topic, and stores the group's progress. One subscriber for each topic.
 *
 * <p>The share is computed anew every 20 s, at once when a broker says that the members changed, and every second while something, or
 * somebody, was missing. A queue that moves away is stopped and its progress stored before anything else; a queue that comes is read
 * when its former reader has let go of it ({@link Takeovers}).
 */
@OwnedBy("its client's context")
final class GroupMember {
  private static final Logger log = LoggerFactory.getLogger(GroupMember.class);
  private static final long TICK_MS = 1000;
  private static final int TICKS_BETWEEN_REBALANCES = 20;
  private static final int TICKS_BETWEEN_RENEWALS = 10;

  private final ClientParts parts;
  private final Home home;
  private final RouteCache routes;
  private final Heartbeats heartbeats;
  private final FilterCheck filterCheck;
  private final SendBacks sendBacks;
  private final QueueLease lease;
  private final Optional<LocalOffsets> localOffsets;
  private final String group;
  private final Runnable onEmpty;
  private final boolean broadcasting;
  private final Allocation allocation;
  private final Map<String, Subscriber> subscribers = new HashMap<>();
  private final HeldQueues held;
  private final Rebalancing rebalancing;
  private final Set<String> unchecked = new HashSet<>();
  private final io.metaq.model.Subscription retrySubscription;
  private final long startMs;
  private long timer = -1;
  private int ticks;
  private long lastVersion;
  private boolean unregistered;
  private HeartbeatBody.Consumer told;
  private Future<Void> leaving;

  /**
   * A member without subscribers.
   *
   * @param first the subscription that makes it a member; later ones must agree with it on how the group works
   * @param localFolder where a broadcasting group keeps its progress
   * @param onEmpty called when the last subscriber has left and the brokers were told
   */
  GroupMember(
      ClientParts parts, Heartbeats heartbeats, String group, Subscription first, LocalFolder localFolder, Runnable onEmpty) {
    this.parts = parts;
    this.home = parts.home();
    this.routes = parts.routes();
    this.heartbeats = heartbeats;
    this.group = group;
    this.onEmpty = onEmpty;
    this.broadcasting = first.isBroadcasting();
    this.allocation = first.allocation();
    this.filterCheck = new FilterCheck(parts);
    this.sendBacks = new SendBacks(parts.links(), routes, group, parts.timeoutMs());
    this.lease = new QueueLease(parts, group);
    this.held = new HeldQueues(parts, group, lease);
    this.rebalancing = new Rebalancing(parts, heartbeats, held, new Rules());
    this.localOffsets = broadcasting ? Optional.of(new LocalOffsets(home, localFolder.path(), group)) : Optional.empty();
    this.startMs = home.clock().millis();
    this.retrySubscription =
        io.metaq.model.Subscription.ofTags(Topics.retryOf(group), io.metaq.model.Subscription.ALL, startMs);
  }

  /** Whether a topic has its subscriber here. */
  boolean reads(String topic) {
    return subscribers.containsKey(topic);
  }

  /** Why a subscription cannot be taken beside the others of the group; empty when it can. */
  Optional<String> contradiction(Subscription other) {
    if (reads(other.topic())) {
      return Optional.of("this client reads topic '" + other.topic() + "' for group '" + group + "' already; use another client");
    }
    if (other.isBroadcasting() != broadcasting) {
      return Optional.of("group '" + group + "' is " + (broadcasting ? "" : "not ") + "broadcasting in this client already");
    }
    return other.allocation().equals(allocation)
        ? Optional.empty()
        : Optional.of("the queues of group '" + group + "' are divided by another strategy in this client already");
  }

  /** The end of leaving when that is going on, else null; a member that leaves takes no new subscriber. */
  Future<Void> leaving() {
    return leaving;
  }

  /** Takes a subscriber for a topic that has none. */
  void join(Subscription subscription, Feed feed) {
    String topic = subscription.topic();
    // Brokers take no older filter for a newer one, whatever the clock does.
    lastVersion = Math.max(lastVersion + 1, home.clock().millis());
    subscribers.put(topic, new Subscriber(subscription, lastVersion, feed));
    unchecked.add(topic);
    held.begin(topic);
    if (!broadcasting && held.share(Topics.retryOf(group)).isEmpty()) {
      held.begin(Topics.retryOf(group));
    }
    filtersChanged();
    if (timer < 0) {
      timer = home.every(TICK_MS, this::tick);
    }
    firstRoute(topic, feed);
  }

  /** What heartbeats say about this member. */
  HeartbeatBody.Consumer heartbeat() {
    return told;
  }

  /** Whether heartbeats mention it. */
  boolean present() {
    return !unregistered && !held.isEmpty();
  }

  /** The members changed: stores progress for whoever takes over, then computes the share anew. */
  void membersChanged() {
    held.noteProgress();
    rebalancing.run();
  }

  /** The subscriber of a topic is gone: its queues are given up. Completes when the brokers know. */
  Future<Void> leave(String topic) {
    Subscriber gone = subscribers.remove(topic);
    if (gone == null) {
      return Future.succeededFuture();
    }
    if (subscribers.isEmpty()) {
      return leaveGroup(false);
    }
    unchecked.remove(topic);
    filtersChanged();
    Future<Void> stopped = held.leave(topic);
    held.forget(gone);
    rebalancing.run();
    return stopped;
  }

  /**
   * Every subscriber is completed; completes when the brokers know.
   *
   * @param patient whether to wait for what they have in hand
   */
  Future<Void> leaveAll(boolean patient) {
    if (leaving == null) {
      List<Subscriber> last = subscribers();
      subscribers.clear();
      leaveGroup(patient);
      last.forEach(subscriber -> subscriber.feed().complete());
    }
    return leaving;
  }

  /** What it reads now. */
  HeldQueues held() {
    return held;
  }

  List<Subscriber> subscribers() {
    return List.copyOf(subscribers.values());
  }

  /** The subscriber of a topic; empty when it has none. */
  Optional<Subscriber> subscriber(String topic) {
    return Optional.ofNullable(subscribers.get(topic));
  }

  /** As brokers were told. */
  List<io.metaq.model.Subscription> filters() {
    return told.subscriptions();
  }

  long startMs() {
    return startMs;
  }

  MemberStatus status() {
    List<MemberStatus.Topic> topics = subscribers.values().stream()
        .map(one -> new MemberStatus.Topic(
            one.subscription().topic(), one.delivered().count(), one.acknowledged().count(), one.sentBack().count()))
        .sorted(Comparator.comparing(MemberStatus.Topic::topic)).toList();
    return new MemberStatus(group, parts.clientId(), topics, held.all().stream().map(HeldQueue::status).toList());
  }

  /** What is told while the group is left stays as it was: brokers must not take it for a reader of less. */
  private void filtersChanged() {
    boolean fromLast = subscribers.values().stream().anyMatch(one -> one.subscription().position() instanceof Position.Latest);
    List<io.metaq.model.Subscription> filters = new ArrayList<>(subscribers.values().stream().map(Subscriber::filter).toList());
    if (!broadcasting) {
      filters.add(retrySubscription);
    }
    told = new HeartbeatBody.Consumer(group, broadcasting, fromLast, filters);
    heartbeats.changed();
  }

  private Future<Void> leaveGroup(boolean patient) {
    home.cancel(timer);
    leaving =
        held.leaveAll(patient)
            .compose(done -> localOffsets.map(LocalOffsets::close).orElseGet(Future::succeededFuture))
            .compose(
                done -> {
                  unregistered = true;
                  return heartbeats.unregister(parts.clientId(), group);
                })
            .onComplete(done -> onEmpty.run());
    return leaving;
  }

  /** A first look that cannot reach any name server is the subscriber's to know; later ones are tried again in silence. */
  private void firstRoute(String topic, Feed feed) {
    localOffsets
        .map(LocalOffsets::open)
        .orElseGet(Future::succeededFuture)
        .compose(open -> routes.forReading(topic))
        .onComplete(
            found -> {
              if (!feeds(topic, feed)) {
                return;
              }
              if (found.failed()) {
                leaveAndFail(topic, feed, found.cause());
              } else {
                if (found.result().isEmpty()) {
                  log.warn("the topic does not exist yet, waiting for it topic={} group={}", topic, group);
                  held.share(topic).ifPresent(share -> share.seen(Set.of()));
                }
                rebalancing.run();
              }
            });
  }

  private void tick() {
    held.noteProgress();
    localOffsets.ifPresent(LocalOffsets::save);
    held.tick();
    subscribers.values().forEach(Subscriber::tick);
    ticks++;
    if (ticks % TICKS_BETWEEN_RENEWALS == 0) {
      held.renewLocks();
    }
    if (!rebalancing.isBalanced() || ticks % TICKS_BETWEEN_REBALANCES == 0) {
      rebalancing.run();
    }
  }

  /** Whether it is this feed, and none that came after it, that a topic's messages go to. */
  private boolean feeds(String topic, Feed feed) {
    return subscriber(topic).filter(one -> one.feed() == feed).isPresent();
  }

  /** In this order: a subscriber that is told may subscribe again at once. */
  private void leaveAndFail(String topic, Feed feed, Throwable cause) {
    leave(topic);
    feed.fail(cause);
  }

  /** A broker that was restarted may have forgotten this member. */
  private void introduceAgain(String topic) {
    Route route = routes.ready(topic);
    if (route != null) {
      route.addresses().distinct().forEach(heartbeats::repeat);
    }
  }

  private final class Rules implements Rebalancing.Rules {
    @Override
    public String group() {
      return group;
    }

    @Override
    public boolean broadcasting() {
      return broadcasting;
    }

    @Override
    public Allocation allocation() {
      return allocation;
    }

    @Override
    public boolean isOver() {
      return subscribers.isEmpty();
    }

    /** Has a topic's filter checked by its brokers, once; the subscriber is told what they refuse. */
    @Override
    public Future<Void> checked(String topic, Route route) {
      Subscriber subscriber = subscribers.get(topic);
      if (subscriber == null || !unchecked.contains(topic)) {
        return Future.succeededFuture();
      }
      return filterCheck
          .passes(route, group, subscriber.filter())
          .onComplete(
              checked -> {
                if (!feeds(topic, subscriber.feed())) {
                  return;
                }
                if (checked.succeeded()) {
                  unchecked.remove(topic);
                } else {
                  leaveAndFail(topic, subscriber.feed(), checked.cause());
                }
              });
    }

    @Override
    public HeldQueue reader(TopicShare<HeldQueue> share, TopicQueue queue) {
      String topic = queue.topic();
      boolean retry = Topics.isRetry(topic);
      Subscriber subscriber = retry ? subscribers.values().iterator().next() : subscribers.get(topic);
      QueueRules rules = retry
          ? QueueRules.ofRetries(retrySubscription, subscriber.subscription())
          : QueueRules.of(subscriber, share.beginning(queue, subscriber.subscription().position()));
      Progress progress = localOffsets.<Progress>map(local -> new LocalProgress(local, queue))
          .orElseGet(() -> new StoredProgress(parts.offsets(), group, queue));
      return new HeldQueue(
          parts, group, queue, rules, retry ? new RetryRecipients() : new Recipients.OfTopic(subscriber), progress, lease, sendBacks,
          () -> introduceAgain(topic));
    }
  }

  /** Messages that were sent back: each goes to the subscriber of the topic it once came from. */
  private final class RetryRecipients implements Recipients {
    @Override
    public boolean asked() {
      return subscribers.values().stream().anyMatch(subscriber -> subscriber.feed().asked());
    }

    @Override
    public boolean unwanted(Received received) {
      return false;
    }

    @Override
    public Optional<Subscriber> of(Received received) {
      return subscriber(received.message().topic());
    }
  }
}
