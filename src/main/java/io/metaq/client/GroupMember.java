package io.metaq.client;

import io.metaq.codec.client.HeartbeatBody;
import io.metaq.codec.client.MemberList;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This client as a member of one group, as official push consumers are: it is in every heartbeat, takes its share of the queues of every
 * subscribed topic and of the group's retry topic, and stores the group's progress. One subscriber for each topic.
 *
 * <p>The share is computed anew every 20 s, at once when a broker says that the members changed, and every second while something was
 * missing. A queue that moves away is stopped and its progress stored before anything else; a queue that comes is read after a pause, in
 * which its former reader can do the same.
 */
@OwnedBy("its client's context")
final class GroupMember {
  private static final Logger log = LoggerFactory.getLogger(GroupMember.class);
  private static final long TICK_MS = 1000;
  private static final int TICKS_BETWEEN_REBALANCES = 20;
  private static final long TAKEOVER_PAUSE_MS = 500;

  private final Home home;
  private final Links links;
  private final RouteCache routes;
  private final BrokerOffsets offsets;
  private final Heartbeats heartbeats;
  private final ReaderFactory readers;
  private final FilterCheck filterCheck;
  private final Settlement settlement;
  private final String clientId;
  private final String group;
  private final long timeoutMs;
  private final Runnable onEmpty;
  private final Map<String, Subscriber> subscribers = new HashMap<>();
  private final Map<String, TopicShare> shares = new HashMap<>();
  private final Map<QueueReader, StoredProgress> progress = new HashMap<>();
  private final Set<String> unchecked = new HashSet<>();
  private final io.metaq.model.Subscription retrySubscription;
  private long timer = -1;
  private int ticks;
  private boolean rebalancing;
  private boolean again;
  private boolean settled;
  private Future<Void> leaving;

  /** One topic's subscriber. */
  private record Subscriber(Subscription subscription, io.metaq.model.Subscription filter, Feed feed) {}

  /**
   * A member without subscribers.
   *
   * @param onEmpty called when the last subscriber has left and the brokers were told
   */
  GroupMember(ClientParts parts, Heartbeats heartbeats, String group, Runnable onEmpty) {
    this.home = parts.home();
    this.links = parts.links();
    this.routes = parts.routes();
    this.offsets = parts.offsets();
    this.readers = parts.readers();
    this.filterCheck = new FilterCheck(parts);
    this.clientId = parts.clientId();
    this.timeoutMs = parts.timeoutMs();
    this.heartbeats = heartbeats;
    this.group = group;
    this.onEmpty = onEmpty;
    this.settlement = new SendBacks(links, routes, group, timeoutMs);
    this.retrySubscription =
        io.metaq.model.Subscription.ofTags(Topics.retryOf(group), io.metaq.model.Subscription.ALL, home.clock().millis());
  }

  /** Whether a topic has its subscriber here. */
  boolean reads(String topic) {
    return subscribers.containsKey(topic);
  }

  /** The end of leaving when that is going on, else null; a member that leaves takes no new subscriber. */
  Future<Void> leaving() {
    return leaving;
  }

  /** Takes a subscriber for a topic that has none. */
  void join(Subscription subscription, Feed feed) {
    String topic = subscription.topic();
    subscribers.put(topic, new Subscriber(subscription, subscription.filter(home.clock().millis()), feed));
    unchecked.add(topic);
    shares.put(topic, new TopicShare());
    shares.computeIfAbsent(Topics.retryOf(group), retry -> new TopicShare());
    heartbeats.changed();
    if (timer < 0) {
      timer = home.every(TICK_MS, this::tick);
    }
    firstRoute(topic, feed);
  }

  /** What heartbeats say about this member. */
  HeartbeatBody.Consumer heartbeat() {
    List<io.metaq.model.Subscription> all = new ArrayList<>(subscribers.values().stream().map(Subscriber::filter).toList());
    all.add(retrySubscription);
    boolean fromLast = subscribers.values().stream().anyMatch(one -> one.subscription.position() instanceof Position.Latest);
    return new HeartbeatBody.Consumer(group, fromLast, all);
  }

  /** Whether heartbeats mention it. */
  boolean present() {
    return leaving == null && !subscribers.isEmpty();
  }

  /** The members changed: stores progress for whoever takes over, then computes the share anew. */
  void membersChanged() {
    noteProgress();
    rebalance();
  }

  /** The subscriber of a topic is gone: its queues are given up. Completes when the brokers know. */
  Future<Void> leave(String topic) {
    if (subscribers.remove(topic) == null) {
      return Future.succeededFuture();
    }
    unchecked.remove(topic);
    List<QueueReader> stopped = stopAll(topic);
    if (!subscribers.isEmpty()) {
      heartbeats.changed();
      rebalance();
      return storeProgress(stopped);
    }
    stopped.addAll(stopAll(Topics.retryOf(group)));
    home.cancel(timer);
    leaving = storeProgress(stopped).compose(done -> heartbeats.unregister(clientId, group)).onComplete(done -> onEmpty.run());
    return leaving;
  }

  /** Every subscriber is completed; completes when the brokers know. */
  Future<Void> leaveAll() {
    if (leaving != null) {
      return leaving;
    }
    Future<Void> last = Future.succeededFuture();
    for (Map.Entry<String, Subscriber> one : List.copyOf(subscribers.entrySet())) {
      one.getValue().feed.complete();
      last = leave(one.getKey());
    }
    return last;
  }

  /** A subscriber asked for the first time. */
  void demanded() {
    allReaders().forEach(QueueReader::read);
  }

  /** A first look that cannot reach any name server is the subscriber's to know; later ones are tried again in silence. */
  private void firstRoute(String topic, Feed feed) {
    routes
        .forReading(topic)
        .onComplete(
            found -> {
              if (!reads(topic)) {
                return;
              }
              if (found.failed()) {
                feed.fail(found.cause());
                leave(topic);
              } else {
                if (found.result().isEmpty()) {
                  log.warn("the topic does not exist yet, waiting for it topic={} group={}", topic, group);
                  shares.get(topic).seen(Set.of());
                }
                rebalance();
              }
            });
  }

  private void tick() {
    noteProgress();
    ticks++;
    if (!settled || ticks % TICKS_BETWEEN_REBALANCES == 0) {
      rebalance();
    }
  }

  /** One at a time; a call during one makes it run once more. */
  private void rebalance() {
    if (leaving != null || subscribers.isEmpty()) {
      return;
    }
    if (rebalancing) {
      again = true;
      return;
    }
    rebalancing = true;
    List<Future<Boolean>> topics =
        Stream.concat(subscribers.keySet().stream(), Stream.of(Topics.retryOf(group))).map(this::rebalanceTopic).toList();
    Future.join(topics)
        .onComplete(
            done -> {
              rebalancing = false;
              settled = done.succeeded() && topics.stream().allMatch(Future::result);
              if (again) {
                again = false;
                rebalance();
              }
            });
  }

  /** Takes the share of one topic; false when something was missing. */
  private Future<Boolean> rebalanceTopic(String topic) {
    return routes
        .forReading(topic)
        .compose(
            found -> {
              if (found.isEmpty()) {
                return Future.succeededFuture(false);
              }
              Route route = found.get();
              List<Address> brokers = route.addresses().distinct().toList();
              return checked(topic, route)
                  .compose(passed -> Future.join(brokers.stream().map(heartbeats::ensure).toList()).otherwiseEmpty())
                  .compose(told -> members(masterFirst(route)))
                  .map(members -> take(topic, route, members));
            })
        .recover(
            failure -> {
              log.debug("share not computed topic={} group={} cause={}", topic, group, failure.getMessage());
              return Future.succeededFuture(false);
            });
  }

  /** Has a topic's filter checked by its brokers, once; the subscriber is told what they refuse. */
  private Future<Void> checked(String topic, Route route) {
    Subscriber subscriber = subscribers.get(topic);
    if (subscriber == null || !unchecked.contains(topic)) {
      return Future.succeededFuture();
    }
    return filterCheck
        .passes(route, group, subscriber.filter)
        .onSuccess(passed -> unchecked.remove(topic))
        .onFailure(
            refused -> {
              subscriber.feed.fail(refused);
              leave(topic);
            });
  }

  private static List<Address> masterFirst(Route route) {
    List<Address> masters = route.brokers().keySet().stream().flatMap(broker -> route.master(broker).stream()).toList();
    return Stream.concat(masters.stream(), route.addresses()).distinct().toList();
  }

  /** The members of the group, from the first broker that knows them. */
  private Future<List<String>> members(List<Address> brokers) {
    if (brokers.isEmpty()) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.NO_ROUTE, "no broker of the topic knows the members"));
    }
    RemotingCommand request = RemotingCommand.request(RequestCode.GET_CONSUMER_LIST_BY_GROUP).ext("consumerGroup", group);
    return links
        .call(brokers.get(0), request, timeoutMs)
        .map(
            answer -> {
              if (answer.code() != ResultCode.SUCCESS.wire()) {
                throw MetaqException.refused(brokers.get(0).toString(), answer.code(), answer.remark());
              }
              return memberList(answer);
            })
        .recover(failure -> members(brokers.subList(1, brokers.size())));
  }

  private static List<String> memberList(RemotingCommand answer) {
    try {
      return MemberList.decode(answer.body());
    } catch (HeaderException broken) {
      throw MetaqException.of(MetaqException.Reason.CONNECTION, broken.getMessage(), broken);
    }
  }

  private boolean take(String topic, Route route, List<String> members) {
    TopicShare share = shares.get(topic);
    if (share == null || leaving != null || !members.contains(clientId)) {
      return false;
    }
    share.seen(route.readable());
    TopicShare.Change change = share.changeTo(new HashSet<>(Allocation.average(route.readable(), members, clientId)));
    giveUp(share, change.lost());
    for (TopicQueue queue : change.gained()) {
      begin(topic, share, queue, members.size() > 1 ? TAKEOVER_PAUSE_MS : 0);
    }
    if (!change.lost().isEmpty() || !change.gained().isEmpty()) {
      log.info(
          "share of the group changed topic={} group={} members={} queues={}", topic, group, members.size(), share.readers().size());
    }
    return true;
  }

  private void giveUp(TopicShare share, List<QueueReader> lost) {
    for (QueueReader reader : lost) {
      stop(share, reader);
    }
    storeProgress(lost);
  }

  private void begin(String topic, TopicShare share, TopicQueue queue, long pauseMs) {
    boolean retry = Topics.isRetry(topic);
    Subscriber subscriber = retry ? subscribers.values().iterator().next() : subscribers.get(topic);
    Pulls.Reader who = new Pulls.Reader(group, retry ? retrySubscription : subscriber.filter, true);
    QueueReader reader = readers.make(queue, who, retry ? new RetryInlet() : new TopicInlet(subscriber), subscriber.subscription);
    share.add(reader);
    progress.put(reader, new StoredProgress(offsets, group, queue));
    Position position = retry ? Position.EARLIEST : share.beginning(queue, subscriber.subscription.position());
    Runnable start = () -> reader.start(() -> beginning(queue, position));
    if (pauseMs > 0) {
      home.after(pauseMs, start);
    } else {
      start.run();
    }
  }

  private Future<Long> beginning(TopicQueue queue, Position position) {
    return offsets
        .stored(group, queue)
        .compose(stored -> stored.isPresent() ? Future.succeededFuture(stored.getAsLong()) : offsets.of(queue, position));
  }

  private List<QueueReader> stopAll(String topic) {
    TopicShare share = shares.remove(topic);
    List<QueueReader> stopped = new ArrayList<>(share.readers());
    stopped.forEach(reader -> stop(share, reader));
    return stopped;
  }

  private void stop(TopicShare share, QueueReader reader) {
    reader.stop();
    share.remove(reader);
    subscribers.values().forEach(subscriber -> subscriber.feed.drop(reader));
  }

  /** Tells the brokers how far every queue has come, where that is news. */
  private void noteProgress() {
    allReaders().forEach(reader -> progress.get(reader).note(reader.progress()));
  }

  /** Stores the progress of readers that were stopped, for good; completes when that is done or has failed. */
  private Future<Void> storeProgress(List<QueueReader> stopped) {
    List<Future<Void>> stores = stopped.stream().map(reader -> progress.remove(reader).finish(reader.progress())).toList();
    return stores.isEmpty() ? Future.succeededFuture() : Future.join(stores).transform(ignored -> Future.succeededFuture());
  }

  private Stream<QueueReader> allReaders() {
    return List.copyOf(shares.values()).stream().flatMap(share -> share.readers().stream());
  }

  /** A broker that was restarted may have forgotten this member. */
  private void introduceAgain(String topic) {
    Route route = routes.ready(topic);
    if (route != null) {
      route.addresses().distinct().forEach(heartbeats::repeat);
    }
  }

  private void deliver(Subscriber subscriber, QueueReader reader, Received received) {
    QueuedDelivery delivery = new QueuedDelivery(home, reader, received, settlement);
    if (received.fault().isPresent()) {
      log.warn("message sent back, its body cannot be unpacked message={} cause={}", received.messageId(), received.fault().get());
      sendBackUnseen(delivery, reader);
    } else {
      subscriber.feed.offer(delivery);
    }
  }

  /** Sends back what no subscriber gets, again until it succeeds: an open message holds up the progress of its queue. */
  private void sendBackUnseen(QueuedDelivery delivery, QueueReader reader) {
    delivery.handedOver();
    sendBackAgain(delivery, reader);
  }

  private void sendBackAgain(QueuedDelivery delivery, QueueReader reader) {
    delivery
        .sendBack(SendBackLevels.BY_BROKER)
        .onFailure(
            failure -> {
              if (!reader.stopped()) {
                home.after(TICK_MS, () -> sendBackAgain(delivery, reader));
              }
            });
  }

  /** Messages of a subscribed topic, those with a wanted tag. */
  private final class TopicInlet implements QueueReader.Inlet {
    private final Subscriber subscriber;

    TopicInlet(Subscriber subscriber) {
      this.subscriber = subscriber;
    }

    @Override
    public boolean open() {
      return subscriber.feed.asked();
    }

    @Override
    public void message(QueueReader reader, Received received) {
      if (TagFilter.admits(subscriber.filter, received.message())) {
        deliver(subscriber, reader, received);
      }
    }

    @Override
    public void handOut() {
      subscriber.feed.drain();
    }

    @Override
    public void unknownToBroker() {
      introduceAgain(subscriber.subscription.topic());
    }
  }

  /** Messages that were sent back: each goes to the subscriber of the topic it once came from. */
  private final class RetryInlet implements QueueReader.Inlet {
    @Override
    public boolean open() {
      return subscribers.values().stream().anyMatch(subscriber -> subscriber.feed.asked());
    }

    @Override
    public void message(QueueReader reader, Received received) {
      Subscriber subscriber = subscribers.get(received.message().topic());
      if (subscriber == null) {
        log.warn("retried message sent back, its topic is not subscribed here topic={} group={}", received.message().topic(), group);
        sendBackUnseen(new QueuedDelivery(home, reader, received, settlement), reader);
      } else {
        deliver(subscriber, reader, received);
      }
    }

    @Override
    public void handOut() {
      subscribers.values().forEach(subscriber -> subscriber.feed.drain());
    }

    @Override
    public void unknownToBroker() {
      introduceAgain(Topics.retryOf(group));
    }
  }
}
