package io.metaq.client;

import io.metaq.codec.client.HeartbeatBody;
import io.metaq.codec.client.PullAnswer;
import io.metaq.codec.remoting.UniqueKeys;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.Topics;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Flow;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to and reads from MetaQ and RocketMQ brokers. Everything is lazy: a {@code Uni} or {@code Multi} does nothing until it is
 * subscribed, and does it anew each time. Results come on the subscriber's Vert.x context when it has one, else on the client's; do
 * not block there. All failures are {@link MetaqException}. Safe from any thread.
 *
 * <pre>{@code
 * MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers("localhost:9876"));
 * client.send(Message.to("orders").body("...").tag("paid")).subscribe().with(receipt -> ...);
 * client.subscribe(Subscription.to("orders").group("billing").from(Position.EARLIEST))
 *     .onItem().transformToUniAndConcatenate(delivery -> handle(delivery.message()).chain(delivery::ack))
 *     .subscribe().with(done -> {});
 * }</pre>
 */
@OwnedBy("its own context")
public final class MetaqClient {
  private static final Logger log = LoggerFactory.getLogger(MetaqClient.class);
  private static final int MAX_REFUSALS = 3;
  private static final Duration LONGEST_WAIT = Duration.ofHours(1);

  private final Home home;
  private final ClientParts parts;
  private final Producer producer;
  private final Requests requests;
  private final Transactions transactions;
  private final ClusterPresence presence;
  private final Recalls recalls;
  private final MetaqAdmin admin;
  private final Heartbeats heartbeats;
  private final MetaqClientOptions options;
  private final LocalFolder localFolder;
  private final Map<String, GroupMember> members = new HashMap<>();
  private final Set<LoneReading> loneReadings = new HashSet<>();
  private final Lifeline lifeline;
  private Future<Void> closing;

  private MetaqClient(Vertx vertx, MetaqClientOptions options, Clock clock) {
    options.requireUsable();
    RandomGenerator random = new SplittableRandom();
    List<Address> nameServerList = options.nameServerList();
    long timeoutMs = options.getRequestTimeout().toMillis();
    this.options = options;
    this.home = new Home(vertx, clock);
    Links links = new Links(home, options);
    NameServers nameServers = new NameServers(links, nameServerList, timeoutMs, random);
    RouteCache routes = new RouteCache(home, nameServers);
    Pulls pulls = new Pulls(home, links);
    this.parts =
        new ClientParts(
            home,
            links,
            routes,
            new BrokerOffsets(links, routes, timeoutMs),
            pulls,
            new ReaderFactory(home, pulls, routes, new Backoff(100, 3000, random)),
            options.validInstanceName() + "@" + UUID.randomUUID(),
            timeoutMs);
    BrokerHealth health = new BrokerHealth(clock, new Backoff(500, 30_000, random));
    this.producer =
        new Producer(
            new SendParts(
                home,
                links,
                routes,
                new QueueChooser(health, random.nextInt()),
                health,
                new RetryPolicy(MAX_REFUSALS),
                new Backoff(20, 1000, random),
                new InFlight(options.getMaxInFlight(), options.getMaxInFlightBytes()),
                new Packing(home),
                new HashSet<>(),
                timeoutMs,
                options.getSendTimeout().toMillis()),
            new UniqueKeys(clock, random),
            options,
            this::producing);
    this.admin = new MetaqAdmin(parts, nameServers, producer);
    this.heartbeats = new Heartbeats(home, links, this::isBroker, timeoutMs, this::heartbeat);
    this.presence = new ClusterPresence(home, nameServers, heartbeats);
    this.requests = new Requests(home, links, producer, presence, parts.clientId());
    this.transactions = new Transactions(home, links, routes, timeoutMs);
    this.recalls = new Recalls(links, routes, options.validProducerGroup(), timeoutMs);
    this.localFolder = LocalFolder.of(options);
    MemberAnswers.serve(parts, group -> Optional.ofNullable(members.get(group)), options.getNameServers());
    this.lifeline = Lifeline.tie(vertx, close());
  }

  /**
   * A client on an application's Vert.x. It connects when it is first used.
   *
   * @throws MetaqException with {@code INVALID} when the options cannot be used
   */
  public static MetaqClient create(Vertx vertx, MetaqClientOptions options) {
    return create(vertx, options, Clock.system());
  }

  /** As {@link #create(Vertx, MetaqClientOptions)}, with another clock than this machine's. */
  static MetaqClient create(Vertx vertx, MetaqClientOptions options, Clock clock) {
    return new MetaqClient(vertx, new MetaqClientOptions(options), clock);
  }

  /**
   * Sends a message, to the next queue of its topic. Fails when no attempt succeeded within the send time-out, or when the answer
   * says that another cannot help.
   */
  public Uni<SendReceipt> send(Message message) {
    return home.cancellable(() -> producer.send(message));
  }

  /**
   * As {@link #send(Message)}, under an id of the caller's instead of one that is made for it; {@link MetaqAdmin#messageByUniqueId} finds the
   * message by it. Brokers do not look whether they have it already.
   *
   * @param messageId without spaces; other messages of the topic should not have it
   */
  public Uni<SendReceipt> send(Message message, String messageId) {
    return home.cancellable(() -> producer.send(message, messageId));
  }

  /**
   * Looks whether this client would send a message, by its topic and the lengths of its body and properties, and sends nothing: for those
   * who have several and want none of them sent unless all can be. A broker may still refuse it.
   *
   * @throws MetaqException with {@code INVALID} when it would not
   */
  public void check(Message message) {
    producer.fault(message).ifPresent(fault -> {
      throw fault;
    });
  }

  /**
   * Sends many messages: those that may share a request do, up to the longest body that is sent. They may have different topics.
   * Gives the receipts in the order of the list, or fails with {@link SendAllException}, which has the receipts of those that are
   * stored; one batch is stored as a whole or not at all. Messages with the same order key, or to the same queue, are sent in their
   * order.
   */
  public Uni<List<SendReceipt>> sendAll(List<Message> messages) {
    if (messages == null || messages.stream().anyMatch(Objects::isNull)) {
      return Uni.createFrom()
          .failure(MetaqException.of(MetaqException.Reason.INVALID, "a list of messages must not be null, nor have null in it"));
    }
    List<Message> taken = List.copyOf(messages);
    return home.cancellable(() -> producer.sendAll(taken));
  }

  /**
   * Sends a message that no broker answers. Done when it has left this process; whether it was stored nobody knows. Fails when
   * there was no connection to send it over within the send time-out.
   */
  public Uni<Void> sendOneWay(Message message) {
    return home.cancellable(() -> producer.sendOneWay(message).as(nothing -> null));
  }

  /**
   * Sends a message and waits for the answer that a consumer of its topic gives with {@link #reply}, or an official client's
   * consumer. Fails as {@link #send} does, and with {@code TIMEOUT} when no answer comes in time.
   *
   * @param timeout for all of it
   */
  public Uni<Message> request(Message message, Duration timeout) {
    return home.cancellable(() -> requests.ask(message, timeout));
  }

  /**
   * Answers a request. Done when the requester has it; fails with {@code REFUSED} when it does not wait any more.
   *
   * @param answer made by {@link Message#replyTo}
   */
  public Uni<Void> reply(Message answer) {
    return home.cancellable(() -> producer.reply(answer).as(stored -> null));
  }

  /**
   * Sends transactions in a producer group. From this call on the client is a member of the group, also before it sends anything,
   * and answers brokers that ask about transactions of the group; a later call for the same group brings a new checker.
   *
   * @throws MetaqException with {@code INVALID} when the group's name is not possible, or the checker null
   */
  public TransactionProducer transaction(String group, TransactionChecker checker) {
    String fault = checker == null ? "a checker must not be null" : Topics.groupFault(group);
    if (fault != null) {
      throw MetaqException.of(MetaqException.Reason.INVALID, fault);
    }
    home.run(
        () -> {
          if (closing == null) {
            transactions.register(group, checker);
            heartbeats.changed();
            presence.everywhere();
          }
        });
    return new TransactionProducer(home, producer, transactions, group);
  }

  /**
   * Takes back a message that waits for its time. Fails with {@code REFUSED} when it is too late, or the broker does not permit it
   * ({@code recallMessageEnable}).
   *
   * @param recallHandle of the message's {@link SendReceipt}
   */
  public Uni<Void> recall(String recallHandle) {
    return home.uni(() -> recalls.recall(recallHandle));
  }

  /**
   * Reads a topic. What the subscriber has requested comes, and no more; beyond that each queue reads ahead as the subscription
   * says. Fails at once when no name server can be reached at first; afterwards the client goes on trying by itself. A topic that
   * does not exist yet is waited for. A group can have one subscriber for each topic in one client.
   */
  public Multi<Delivery> subscribe(Subscription subscription) {
    if (subscription == null) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "a subscription must not be null");
    }
    return Multi.createFrom().publisher(subscriber -> begin(subscription, subscriber));
  }

  /**
   * Reads a topic and gives each message to a handler: acknowledges it when the handler's Uni completes, and sends it back when the
   * handler throws, fails or gives no Uni, again until a broker takes it. A handler that never completes takes one place of {@code concurrency}, holds up the progress of
   * its message's queue, and shows in {@link Membership#status}. Completes when the client is closed, fails as {@link #subscribe} does;
   * cancelling leaves the group.
   *
   * @param concurrency messages in the handler's hands at a time, at least 1
   * @param handler called on the subscriber's context when it has one; must not block
   */
  public Uni<Void> consume(Subscription subscription, int concurrency, Function<Delivery, ? extends Uni<?>> handler) {
    if (handler == null) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "a handler must not be null");
    }
    return new Handling(handler).run(subscribe(subscription), concurrency);
  }

  /** What this client reads in a group, and the reins of it. */
  public Membership membership(String group) {
    return new Membership(home, group, this::member);
  }

  /** The readable queues of a topic; fails with {@code NO_ROUTE} when it does not exist, with {@code NO_BROKER} while no broker is there. */
  public Uni<List<TopicQueue>> queues(String topic) {
    return home.uni(() -> readableRoute(topic).map(Route::readable));
  }

  /**
   * Reads once from a queue, in no group and without waiting.
   *
   * @param maxMessages at most so many, at least 1; brokers give 32 or fewer
   */
  public Uni<PullResult> pull(TopicQueue queue, long queueOffset, int maxMessages) {
    return home.uni(() -> pulled(queue, queueOffset, maxMessages, Duration.ZERO).map(MetaqClient::pullResult));
  }

  /**
   * Reads once from a queue, in no group, with all that the records tell.
   *
   * @param maxMessages at most so many, at least 1; brokers give 32 or fewer
   * @param wait how long the broker may hold the read while there is nothing, at most an hour; zero for an answer at once
   */
  public Uni<QueueRead> read(TopicQueue queue, long queueOffset, int maxMessages, Duration wait) {
    return home.uni(
        () ->
            pulled(queue, queueOffset, maxMessages, wait)
                .map(
                    batch ->
                        new QueueRead(
                            batch.messages().stream().map(received -> FoundMessage.of(queue.broker(), received)).toList(),
                            batch.answer().nextQueueOffset(),
                            batch.answer().minQueueOffset(),
                            batch.answer().maxQueueOffset())));
  }

  /**
   * The offset that a position means now in every readable queue of a topic; fails with {@code NO_ROUTE} when it does not exist.
   */
  public Uni<Map<TopicQueue, Long>> offsets(String topic, Position position) {
    return home.uni(
        () -> {
          Objects.requireNonNull(position, "no position");
          return readableRoute(topic)
              .compose(
                  route ->
                      AdminCalls.forEach(
                          route.readable(), queue -> parts.offsets().of(queue, position).map(offset -> Map.entry(queue, offset))))
              .map(entries -> entries.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
        });
  }

  /** Looks into the cluster and changes it, over this client's connections. */
  public MetaqAdmin admin() {
    return admin;
  }

  /**
   * Ends everything, in this order: subscribers are completed, what they have in hand is waited for as long as
   * {@link Subscription#handover} says (they may send meanwhile), groups are left with their progress stored; then messages that were
   * sent are waited for, those that wait for room or another attempt fail with {@code CLOSED}; then connections are closed. Whatever is
   * open then, or tried afterwards, fails with {@code CLOSED}.
   *
   * <p>The same happens by itself when the verticle is undeployed that the client was made in, before the verticle's own {@code stop}, and
   * when its Vert.x is closed; but a Vert.x closes connections first, so that the progress of the last second is not stored then.
   */
  public Uni<Void> close() {
    return home.uni(
            () -> {
              if (closing == null) {
                Promise<Void> closed = Promise.promise();
                closing = closed.future();
                closeAll().transform(done -> lifeline.cut()).onComplete(done -> home.run(new Ending(closed)));
              }
              return closing;
            })
        .onFailure(MetaqClient::closedWithItsVertx)
        .recoverWithNull();
  }

  /** The last thing a client does; where its Vert.x is closed meanwhile, wherever it is. */
  private final class Ending implements Home.Awaited {
    private final Promise<Void> closed;

    Ending(Promise<Void> closed) {
      this.closed = closed;
    }

    @Override
    public void run() {
      closed.complete();
      home.end();
    }

    @Override
    public void refused(MetaqException reason) {
      run();
    }
  }

  private void begin(Subscription subscription, Flow.Subscriber<? super Delivery> subscriber) {
    Feed feed = new Feed(home, Vertx.currentContext(), subscriber);
    subscriber.onSubscribe(feed);
    home.run(new Home.Awaited() {
      @Override
      public void run() {
        join(subscription, feed);
      }

      @Override
      public void refused(MetaqException reason) {
        feed.fail(reason);
      }
    });
  }

  private void join(Subscription subscription, Feed feed) {
    if (closing != null) {
      feed.fail(MetaqException.of(MetaqException.Reason.CLOSED, "the client is closed"));
    } else if (subscription.group().isPresent() && Topics.isRetry(subscription.topic())) {
      feed.fail(MetaqException.of(MetaqException.Reason.INVALID,
          "the members of a group read its retry topic by themselves; '" + subscription.topic() + "' can be read without a group"));
    } else if (subscription.group().isPresent()) {
      joinGroup(subscription.group().get(), subscription, feed);
    } else {
      LoneReading[] reading = new LoneReading[1];
      reading[0] = new LoneReading(parts, subscription, feed, () -> loneReadings.remove(reading[0]));
      loneReadings.add(reading[0]);
      feed.from(reading[0]);
      reading[0].start();
    }
  }

  private Future<GroupMember> member(String group) {
    GroupMember member = members.get(group);
    return member != null && member.leaving() == null
        ? Future.succeededFuture(member)
        : Future.failedFuture(
            MetaqException.of(MetaqException.Reason.INVALID, "this client has no subscriber in group '" + group + "'"));
  }

  private void joinGroup(String group, Subscription subscription, Feed feed) {
    GroupMember member =
        members.computeIfAbsent(
            group, name -> new GroupMember(parts, heartbeats, name, subscription, localFolder, () -> members.remove(name)));
    Optional<String> contradiction = member.contradiction(subscription);
    if (member.leaving() != null) {
      member.leaving().onComplete(left -> home.later(() -> join(subscription, feed)));
    } else if (contradiction.isPresent()) {
      feed.fail(MetaqException.of(MetaqException.Reason.INVALID, contradiction.get()));
    } else {
      member.join(subscription, feed);
      feed.from(new MemberSource(member, subscription.topic()));
    }
  }

  /** Ties a feed to its membership. */
  private record MemberSource(GroupMember member, String topic) implements Feed.Source {
    @Override
    public void demanded() {
      member.held().demanded();
    }

    @Override
    public void cancelled() {
      member.leave(topic);
    }
  }

  private Future<Void> closeAll() {
    List.copyOf(loneReadings).forEach(LoneReading::end);
    boolean patient = !parts.links().all().isEmpty();
    List<Future<Void>> leaving = List.copyOf(members.values()).stream().map(member -> member.leaveAll(patient)).toList();
    return (leaving.isEmpty() ? Future.succeededFuture() : Future.join(leaving))
        .transform(
            left -> {
              requests.close();
              return producer.close();
            })
        .transform(
            done -> {
              presence.stop();
              heartbeats.stop();
              return parts.links().close();
            })
        .onSuccess(closed -> log.debug("client closed clientId={}", parts.clientId()));
  }

  private static boolean closedWithItsVertx(Throwable failure) {
    return failure instanceof MetaqException typed && typed.reason() == MetaqException.Reason.CLOSED;
  }

  /** Brokers that know this client as a consumer alone are to hear that it sends. */
  private void producing() {
    heartbeats.changed();
  }

  private HeartbeatBody heartbeat() {
    return new HeartbeatBody(
        parts.clientId(),
        producerGroups(),
        members.values().stream().filter(GroupMember::present).map(GroupMember::heartbeat).toList());
  }

  private Set<String> producerGroups() {
    Set<String> groups = new TreeSet<>(transactions.groups());
    if (producer.used()) {
      groups.add(options.getProducerGroup());
    }
    return groups;
  }

  private boolean isBroker(Address address) {
    return parts.routes().names(address) || presence.names(address);
  }

  private Future<Route> readableRoute(String topic) {
    return parts
        .routes()
        .forReading(topic)
        .compose(found -> parts.routes().orFail(found,
            () -> MetaqException.of(MetaqException.Reason.NO_ROUTE, "the topic '" + topic + "' does not exist")));
  }

  private Future<Pulls.Batch> pulled(TopicQueue queue, long queueOffset, int maxMessages, Duration wait) {
    if (maxMessages < 1 || wait.isNegative() || wait.compareTo(LONGEST_WAIT) > 0) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.INVALID, "a read is of at least 1 message and waits 0 to "
          + LONGEST_WAIT.toSeconds() + " s, not of " + maxMessages + " with " + wait));
    }
    Pulls.Reader who =
        new Pulls.Reader(
            LoneReading.READER_GROUP,
            io.metaq.model.Subscription.ofTags(queue.topic(), io.metaq.model.Subscription.ALL, 0),
            false);
    return readableRoute(queue.topic())
        .compose(
            route ->
                route
                    .reading(queue.broker(), 0)
                    .map(address -> parts.pulls().pull(address, queue, who, queueOffset, maxMessages, wait.toMillis()))
                    .orElseGet(() -> Future.failedFuture(noSuchBroker(queue))));
  }

  private static MetaqException noSuchBroker(TopicQueue queue) {
    return MetaqException.of(
        MetaqException.Reason.NO_ROUTE, "the topic '" + queue.topic() + "' is not at broker '" + queue.broker() + "'");
  }

  private static PullResult pullResult(Pulls.Batch batch) {
    PullAnswer answer = batch.answer();
    return new PullResult(
        batch.messages().stream().map(Received::message).toList(),
        answer.nextQueueOffset(),
        answer.minQueueOffset(),
        answer.maxQueueOffset());
  }
}
