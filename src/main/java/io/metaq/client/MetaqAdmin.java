package io.metaq.client;

import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks into a cluster and changes it: topics, consumer groups and their progress, brokers, single messages. Works with MetaQ and
 * with RocketMQ, from {@link MetaqClient#admin}. Lazy like the client; all failures are {@link MetaqException}, whose sentence says
 * what was asked of whom. A change of several brokers is made at one after the other and stops at the first that refuses. Servers
 * take changes only from addresses they permit ({@code adminAllowedFrom} of MetaQ).
 */
public final class MetaqAdmin {
  private final Home home;
  private final AdminCalls calls;
  private final Producer producer;
  private final TopicAdmin topics;
  private final GroupAdmin groups;
  private final GroupReset reset;
  private final MessageLookUp messages;

  MetaqAdmin(ClientParts parts, NameServers nameServers, Producer producer) {
    this.home = parts.home();
    this.calls = new AdminCalls(parts.links(), nameServers, parts.timeoutMs());
    this.producer = producer;
    this.topics = new TopicAdmin(calls);
    this.groups = new GroupAdmin(calls);
    this.reset = new GroupReset(calls, parts.routes(), parts.offsets());
    this.messages = new MessageLookUp(home, calls, parts.routes(), parts.offsets(), parts.pulls());
  }

  /** Every broker that is registered, slaves too; one that does not answer tells so itself. */
  public Multi<BrokerInfo> brokers() {
    return each(home.uni(() -> calls.nodes().compose(nodes -> AdminCalls.forEach(nodes, this::broker))));
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

  /** Every consumer group, sorted by name. */
  public Multi<GroupSummary> groups() {
    return each(home.uni(groups::all));
  }

  /** One consumer group; fails with {@code NOT_FOUND} when no broker knows it. */
  public Uni<GroupDetails> group(String group) {
    return home.uni(() -> groups.one(group));
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
    return home.uni(() -> reset.to(group, topic, position));
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
    return home.uni(() -> messages.byId(topic, id));
  }

  /** The message of a topic with the id its producer gave it. Unlike {@link #message}, it connects to nothing an id names. */
  public Uni<Optional<FoundMessage>> messageByUniqueId(String topic, String id) {
    return home.uni(() -> messages.byUniqueId(topic, id));
  }

  /** Messages with a key, oldest first; each broker gives up to 32. */
  public Uni<List<FoundMessage>> messagesByKey(String topic, String key, int max) {
    return home.uni(() -> messages.byKey(topic, key, max));
  }

  /** Messages of a queue from an offset on; fails with {@code INVALID} outside of the queue. */
  public Uni<List<FoundMessage>> messagesAt(TopicQueue queue, long queueOffset, int max) {
    return home.uni(() -> messages.at(queue, queueOffset, max));
  }

  /** Messages that were stored at a time or later, oldest first. */
  public Uni<List<FoundMessage>> messagesSince(String topic, Instant time, int max) {
    return home.uni(() -> messages.since(topic, time.toEpochMilli(), max));
  }

  /**
   * Sends a copy of a message, with an id of its own: to its topic, or for one group only. A dead letter goes to its group in any
   * case.
   */
  public Uni<SendReceipt> resend(FoundMessage message, Optional<String> group) {
    return home.cancellable(() -> producer.send(MessageResend.of(message, group)));
  }

  private Future<BrokerInfo> broker(AdminCalls.Node node) {
    return calls.ask(node, "show the broker", RemotingCommand.request(RequestCode.GET_BROKER_RUNTIME_INFO))
        .map(answer -> info(node, Optional.empty(), AdminCalls.read(node, answer, KvTableCodec::decode)))
        .otherwise(failure -> info(node, Optional.of(String.valueOf(failure.getMessage())), Map.of()));
  }

  private static BrokerInfo info(AdminCalls.Node node, Optional<String> fault, Map<String, String> figures) {
    return new BrokerInfo(node.cluster(), node.name(), node.id(), node.address().toString(), fault, figures);
  }

  private static <T> Multi<T> each(Uni<List<T>> all) {
    return all.onItem().transformToMulti(list -> Multi.createFrom().iterable(list));
  }
}
