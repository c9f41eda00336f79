package io.metaq.client;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.Cancellable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Looks into a cluster and changes it: topics, consumer groups and their progress, brokers, single messages. Works with MetaQ and
 * with RocketMQ, from {@link MetaqClient#admin}. Lazy like the client; all failures are {@link MetaqException}, whose sentence says
 * what was asked of whom.
 *
 * <p>What is shown of several brokers is shown without those that are registered and do not answer, and names them ({@link MissingBroker}):
 * figures are then of the others alone. It fails when no broker answers, and where one that does not could have what no other has: nothing is
 * said not to exist before all have said so. Look-ups of messages fail when a broker of the topic does not answer, unless they have found the
 * one they look for. A change of several brokers is made at one after the other and stops at the first that refuses. Servers take changes
 * only from addresses they permit ({@code adminAllowedFrom} of MetaQ).
 */
public final class MetaqAdmin {
  private static final Duration LONGEST_PERIOD = Duration.ofDays(1);
  private static final Duration SHORTEST_PERIOD = Duration.ofMillis(100);

  private final Home home;
  private final BrokerAdmin brokers;
  private final Producer producer;
  private final TopicAdmin topics;
  private final GroupAdmin groups;
  private final GroupReset reset;
  private final MessageLookUp messages;
  private final MessageBrowse browse;
  private final MemberAdmin members;

  MetaqAdmin(ClientParts parts, NameServers nameServers, Producer producer) {
    this.home = parts.home();
    AdminCalls calls = new AdminCalls(parts.links(), nameServers, parts.timeoutMs());
    this.producer = producer;
    this.brokers = new BrokerAdmin(calls);
    this.topics = new TopicAdmin(calls);
    this.groups = new GroupAdmin(calls);
    this.members = new MemberAdmin(calls, groups);
    this.browse = new MessageBrowse(home, parts.routes(), parts.offsets(), parts.pulls());
    this.reset = new GroupReset(calls, parts.routes(), parts.offsets());
    this.messages = new MessageLookUp(home, calls, parts.routes(), parts.offsets(), parts.pulls());
  }

  /** Every broker that is registered, slaves too; one that does not answer tells so itself. */
  public Multi<BrokerInfo> brokers() {
    return each(home.uni(brokers::all));
  }

  /**
   * How every registered broker is, slaves too, with the replication of its log. Fails with {@code NO_NAME_SERVER} when there is none
   * to ask; a broker that does not answer tells so itself.
   */
  public Uni<List<BrokerStatus>> statuses() {
    return home.uni(brokers::statuses);
  }

  /**
   * As {@link #statuses}, at once and then again and again while the subscriber wants more. What it does not want is not asked for, and
   * never kept for it: an item is as old as its answer. Fails as {@link #statuses} does, or with {@code CLOSED} at the client's end, and is
   * over then.
   *
   * @param every between two questions, 100 ms to 1 day
   */
  public Multi<List<BrokerStatus>> figures(Duration every) {
    if (every == null || every.compareTo(SHORTEST_PERIOD) < 0 || every.compareTo(LONGEST_PERIOD) > 0) {
      throw MetaqException.of(MetaqException.Reason.INVALID, "figures come every 100 ms to 1 day, not every " + every);
    }
    return Multi.createFrom().emitter(subscriber -> {
      FigureStream<List<BrokerStatus>> stream =
          new FigureStream<>(home, every.toMillis(), brokers::statuses, subscriber, Vertx.currentContext());
      Cancellable end = home.uni(stream::start).subscribe().with(stopped -> {}, subscriber::fail);
      subscriber.onTermination(() -> {
        end.cancel();
        home.run(stream::stop);
      });
    }, BackPressureStrategy.ERROR);
  }

  /** Every producer group with its connected clients, sorted by name, as the masters know them. */
  public Multi<ProducerGroup> producers() {
    return each(home.uni(brokers::producers));
  }

  /**
   * The settings of a broker, secrets masked where it masks them.
   *
   * @param id 0 for a master
   * @return fails with {@code NOT_FOUND} when no such broker is registered
   */
  public Uni<SortedMap<String, String>> brokerSettings(String broker, long id) {
    return home.uni(() -> brokers.settings(broker, id));
  }

  /**
   * Changes settings of a broker while it runs: all of them, or none when it refuses one. MetaQ keeps them until its process ends.
   *
   * @param id 0 for a master
   * @return fails with {@code NOT_FOUND} when no such broker is registered, with {@code REFUSED} when it says no
   */
  public Uni<Void> changeBrokerSettings(String broker, long id, Map<String, String> settings) {
    return home.uni(() -> brokers.change(broker, id, settings));
  }

  /** Every topic, sorted by name. */
  public Multi<TopicSummary> topics() {
    return each(home.uni(topics::all));
  }

  /** One topic; fails with {@code NOT_FOUND} when no broker has it. */
  public Uni<TopicDetails> topic(String topic) {
    return home.uni(() -> topics.one(topic));
  }

  /**
   * Makes a topic, or changes one, at the masters of all clusters.
   *
   * @param cluster only of this one
   * @param broker only at this one
   * @return names of the brokers that have it so now
   */
  public Uni<List<String>> putTopic(TopicSettings topic, Optional<String> cluster, Optional<String> broker) {
    return home.uni(() -> topics.put(topic, cluster, broker));
  }

  /** Deletes a topic everywhere, which takes its messages out of reach; gives the names of the brokers. */
  public Uni<List<String>> deleteTopic(String topic) {
    return home.uni(() -> topics.delete(topic));
  }

  /**
   * The groups that read a topic, sorted by name, with how far behind each is.
   *
   * @param max so many of them, at least 1; each takes a question of every broker
   */
  public Uni<List<TopicReader>> readers(String topic, int max) {
    return some(max, () -> topics.readers(topic, max));
  }

  /** Every consumer group, sorted by name. */
  public Multi<GroupSummary> groups() {
    return each(home.uni(groups::all));
  }

  /** One consumer group; fails with {@code NOT_FOUND} when no broker knows it. */
  public Uni<GroupDetails> group(String group) {
    return home.uni(() -> groups.one(group));
  }

  /**
   * The connected members of a group, each with what it tells of itself: the queues it has, how it gets on. None when nobody is
   * connected.
   *
   * @param limit so long each is waited for; one that does not answer in time is there with a fault
   */
  public Uni<GroupMembers> members(String group, Duration limit) {
    return home.uni(() -> members.of(group, limit.toMillis()));
  }

  /**
   * Makes a consumer group, or changes one, at the masters of all clusters.
   *
   * @param retries how often a message is tried again before it becomes a dead letter
   * @param broadcast whether it may consume by broadcasting
   * @return names of the brokers that have it so now
   */
  public Uni<List<String>> putGroup(
      String group, int retries, boolean broadcast, Optional<String> cluster, Optional<String> broker) {
    return home.uni(() -> groups.put(group, retries, broadcast, cluster, broker));
  }

  /**
   * Deletes a consumer group with its progress everywhere; its retry and dead-letter topics stay. Gives the names of the brokers.
   */
  public Uni<List<String>> deleteGroup(String group) {
    return home.uni(() -> groups.delete(group));
  }

  /** Moves a group to a position in every queue of a topic; gives the offset of each queue. */
  public Uni<Map<TopicQueue, Long>> resetGroup(String group, String topic, Position position) {
    return home.uni(() -> reset.to(group, topic, Objects.requireNonNull(position, "no position")));
  }

  /** Moves a group to an offset in one queue. */
  public Uni<Map<TopicQueue, Long>> resetGroup(String group, TopicQueue queue, long queueOffset) {
    return home.uni(() -> reset.to(group, queue, queueOffset));
  }

  /**
   * The message with an id: the one its producer gave it, when the topic is named, or the one that holds its place at its broker,
   * which is connected to at the address the id has.
   */
  public Uni<Optional<FoundMessage>> message(Optional<String> topic, String id) {
    return home.uni(() -> messages.byId(topic, Objects.requireNonNull(id, "no id")));
  }

  /**
   * The message with an id that holds its place, empty when the id is none of that kind. Unlike {@link #message}, it connects to nothing an
   * id names: registered brokers alone are asked.
   */
  public Uni<Optional<FoundMessage>> messageByOffsetId(String id) {
    return home.uni(() -> messages.byRegisteredPlace(id));
  }

  /**
   * The message of a topic with the id its producer gave it, the newest where several have it. Unlike {@link #message}, it connects to
   * nothing an id names.
   */
  public Uni<Optional<FoundMessage>> messageByUniqueId(String topic, String id) {
    return home.uni(() -> messages.byUniqueId(topic, Objects.requireNonNull(id, "no id")));
  }

  /**
   * Messages with a key, oldest first; each broker gives up to 32.
   *
   * @param max so many of them, at least 1
   */
  public Uni<List<FoundMessage>> messagesByKey(String topic, String key, int max) {
    return some(max, () -> messages.byKey(topic, Objects.requireNonNull(key, "no key"), max));
  }

  /**
   * Messages of a queue from an offset on; fails with {@code INVALID} outside of the queue.
   *
   * @param max so many of them, at least 1
   */
  public Uni<List<FoundMessage>> messagesAt(TopicQueue queue, long queueOffset, int max) {
    return some(max, () -> messages.at(queue, queueOffset, max));
  }

  /**
   * Messages that were stored at a time or later, oldest first.
   *
   * @param max so many of them, at least 1
   */
  public Uni<List<FoundMessage>> messagesSince(String topic, Instant time, int max) {
    return some(max, () -> messages.since(topic, time.toEpochMilli(), max));
  }

  /**
   * A page of a topic: messages from a position on, out of all its queues, by the time they were stored. Go on at {@link
   * MessagePage#next}. Fails with {@code NOT_FOUND} when there is no such topic.
   *
   * @param max messages of a page, at least 1; as many may be read from each queue to find them, up to about 256 KiB of bodies: a page of large
   *     messages has fewer, also before the end
   */
  public Uni<MessagePage> browse(String topic, Position from, int max) {
    return some(max, () -> browse.page(topic, Objects.requireNonNull(from, "no position"), max));
  }

  /**
   * Sends a copy of a message, with an id of its own: to its topic, or for one group only. A dead letter goes to its group in any
   * case. Fails with {@code NOT_FOUND} when no broker knows the group, which a send would make.
   */
  public Uni<SendReceipt> resend(FoundMessage message, Optional<String> group) {
    return home.uni(() -> MessageResend.reader(message, group).map(groups::require).orElse(Future.succeededFuture()))
        .chain(known -> home.cancellable(() -> producer.send(MessageResend.of(message, group))));
  }

  private <T> Uni<T> some(int max, Supplier<Future<T>> question) {
    return home.uni(() -> max < 1
        ? Future.failedFuture(MetaqException.of(MetaqException.Reason.INVALID, "at least 1 must be asked for, not " + max))
        : question.get());
  }

  private static <T> Multi<T> each(Uni<List<T>> all) {
    return all.onItem().transformToMulti(list -> Multi.createFrom().iterable(list));
  }
}
