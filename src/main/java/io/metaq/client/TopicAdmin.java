package io.metaq.client;

import io.metaq.client.AdminCalls.Node;
import io.metaq.codec.admin.ConsumeStats;
import io.metaq.codec.admin.GroupBodies;
import io.metaq.codec.admin.StatisticsBody;
import io.metaq.codec.admin.TopicStats;
import io.metaq.codec.registry.TopicConfigCodec;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.Perm;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shows, makes and deletes topics. */
@OwnedBy("its client's context")
final class TopicAdmin {
  private static final Comparator<TopicDetails.Queue> ORDER =
      Comparator.comparing(TopicDetails.Queue::broker).thenComparingInt(TopicDetails.Queue::queueId);

  private final AdminCalls calls;

  TopicAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /** What one broker has. */
  private record Shelf(Node node, List<TopicConfig> topics, List<String> system) {}

  Future<List<TopicSummary>> all() {
    return calls.readable().compose(nodes -> AdminCalls.gather(nodes, this::shelf)).map(found -> {
      List<TopicSummary> all = summaries(found);
      return found.unlessUnknown(all, all.isEmpty());
    });
  }

  Future<TopicDetails> one(String topic) {
    return calls.readable().compose(nodes -> AdminCalls.gather(nodes, node -> parts(node, topic)))
        .map(found -> details(topic, found));
  }

  private static TopicDetails details(String topic, AdminCalls.Gathered<Part> found) {
    List<TopicDetails.Queue> queues = new ArrayList<>();
    List<TopicDetails.Share> shares = new ArrayList<>();
    Set<String> groups = new TreeSet<>();
    Set<String> system = new HashSet<>();
    for (Part part : found.parts()) {
      part.config.ifPresent(config -> shares.add(share(part.stats.brokerName(), config)));
      system.addAll(part.system);
      part.stats.queues().forEach(queue -> queues.add(new TopicDetails.Queue(
          part.stats.brokerName(), queue.queueId(), queue.minOffset(), queue.maxOffset(), queue.lastStoreTimeMs())));
      groups.addAll(part.groups);
    }
    if (queues.isEmpty()) {
      throw found.first().orElseGet(() -> unknown(topic));
    }
    queues.sort(ORDER);
    return new TopicDetails(topic, kind(topic, system), shares, queues, List.copyOf(groups),
        sum(found.parts(), Part::messagesPerSecond), sum(found.parts(), Part::bytesPerSecond), found.missing());
  }

  private static TopicDetails.Share share(String broker, TopicConfig config) {
    return new TopicDetails.Share(broker, config.readQueues(), config.writeQueues(), Perm.readable(config.perm()),
        Perm.writable(config.perm()), config.order(), config.attributes().getOrDefault("message.type", "NORMAL"));
  }

  private static OptionalDouble sum(List<Part> parts, Function<Part, OptionalDouble> rate) {
    return parts.stream().map(rate).filter(OptionalDouble::isPresent).mapToDouble(OptionalDouble::getAsDouble).boxed()
        .reduce(Double::sum).map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }

  /** The groups that read a topic, at most so many, with how far behind they are. */
  Future<List<TopicReader>> readers(String topic, int max) {
    return calls.readable().compose(nodes -> AdminCalls.gather(nodes, node -> groupsOf(node, topic)).compose(found -> {
      List<String> groups = found.parts().stream().flatMap(List::stream).distinct().sorted().limit(max).toList();
      // A broker that has not answered is not waited for again for each group.
      Set<String> silent = found.missing().stream().map(MissingBroker::broker).collect(Collectors.toSet());
      return AdminCalls.forEach(found.unlessUnknown(groups, groups.isEmpty()), group -> AdminCalls.forEach(nodes,
              node -> silent.contains(node.name()) ? Future.succeededFuture(Reading.UNKNOWN) : reading(node, topic, group))
          .map(readings -> reader(group, readings)));
    }));
  }

  private Future<List<String>> groupsOf(Node node, String topic) {
    return calls.ask(node, "show who reads topic '" + topic + "'",
            RemotingCommand.request(RequestCode.QUERY_TOPIC_CONSUME_BY_WHO).ext("topic", topic))
        .map(answer -> AdminCalls.read(node, answer, GroupBodies::decodeNames));
  }

  /**
   * How one group stands at one broker.
   *
   * @param lag empty where the broker does not say; 0 where the group has no progress
   * @param read whether it has progress there
   */
  private record Reading(OptionalLong lag, boolean read, OptionalDouble perSecond) {
    static final Reading UNKNOWN = new Reading(OptionalLong.empty(), false, OptionalDouble.empty());
  }

  private Future<Reading> reading(Node node, String topic, String group) {
    return calls.ask(node, "show group '" + group + "'",
            RemotingCommand.request(RequestCode.GET_CONSUME_STATS).ext("consumerGroup", group).ext("topic", topic))
        .map(answer -> AdminCalls.read(node, answer, body -> ConsumeStats.decode(node.name(), body)))
        .map(stats -> new Reading(OptionalLong.of(stats.queues().stream().mapToLong(queue -> Math.max(0, queue.behind())).sum()),
            !stats.queues().isEmpty(), OptionalDouble.empty()))
        .compose(reading -> perSecond(node, "GROUP_GET_NUMS", topic + "@" + group)
            .map(rate -> new Reading(reading.lag, reading.read, rate)))
        .otherwise(Reading.UNKNOWN);
  }

  private static TopicReader reader(String group, List<Reading> readings) {
    boolean told = readings.stream().allMatch(reading -> reading.lag.isPresent());
    boolean known = told && readings.stream().anyMatch(Reading::read);
    List<Double> rates =
        readings.stream().map(Reading::perSecond).filter(OptionalDouble::isPresent).map(OptionalDouble::getAsDouble).toList();
    return new TopicReader(group,
        known ? OptionalLong.of(readings.stream().mapToLong(reading -> reading.lag.orElse(0)).sum()) : OptionalLong.empty(),
        !told || rates.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(rates.stream().mapToDouble(Double::doubleValue).sum()));
  }

  /** Of the last minute; a broker that counted nothing says that it knows nothing of it. */
  private Future<OptionalDouble> perSecond(Node node, String statistic, String key) {
    return calls.ask(node, "show statistics",
            RemotingCommand.request(RequestCode.VIEW_BROKER_STATS_DATA).ext("statsName", statistic).ext("statsKey", key))
        .map(answer -> OptionalDouble.of(AdminCalls.read(node, answer, StatisticsBody::decode).minute().perSecond()))
        .otherwise(OptionalDouble.empty());
  }

  Future<List<String>> put(TopicSettings topic, Optional<String> cluster, Optional<String> broker) {
    String fault = Topics.topicFault(topic.topic());
    if (fault != null) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.INVALID, fault));
    }
    return calls.masters(cluster, broker).compose(masters -> AdminCalls.inOrder(masters, node ->
        calls.ask(node, "create topic '" + topic.topic() + "'", RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_TOPIC)
            .ext("topic", topic.topic())
            .ext("defaultTopic", Topics.TEMPLATE)
            .ext("readQueueNums", topic.queues())
            .ext("writeQueueNums", topic.queues())
            .ext("perm", topic.perm())
            .ext("topicFilterType", "SINGLE_TAG")
            .ext("topicSysFlag", 0)
            .ext("order", topic.ordered())
            .ext("attributes", topic.attributeChanges())).map(done -> node.name())));
  }

  /** All must answer before any is changed. At the brokers first: as long as one has it, it would come back to the name servers. */
  Future<List<String>> delete(String topic) {
    String what = "delete topic '" + topic + "'";
    return calls.readable().compose(nodes -> AdminCalls.forEach(nodes, node -> parts(node, topic)))
        .map(parts -> details(topic, new AdminCalls.Gathered<>(parts, List.of(), Optional.empty())))
        .compose(there -> calls.masters(Optional.empty(), Optional.empty()))
        .compose(masters -> AdminCalls.inOrder(masters, node ->
            calls.ask(node, what, RemotingCommand.request(RequestCode.DELETE_TOPIC_IN_BROKER).ext("topic", topic))
                .map(done -> node.name())))
        .compose(names -> calls.tellNameServers(
            what, address -> RemotingCommand.request(RequestCode.DELETE_TOPIC_IN_NAMESRV).ext("topic", topic)).map(names));
  }

  static MetaqException unknown(String topic) {
    return MetaqException.of(MetaqException.Reason.NOT_FOUND, "topic '" + topic + "' does not exist");
  }

  /** @param topic that was looked into for the queue */
  static MetaqException noQueue(TopicQueue queue, String topic) {
    return MetaqException.of(MetaqException.Reason.INVALID, "topic '" + topic + "' has no queue " + queue.queueId()
        + (queue.topic().equals(topic) ? "" : " of topic '" + queue.topic() + "'") + " at broker '" + queue.broker() + "'");
  }

  static MetaqException outside(TopicQueue queue, long queueOffset, long min, long max) {
    return MetaqException.of(MetaqException.Reason.INVALID, "offset " + queueOffset + " is outside of queue " + queue.queueId()
        + " of topic '" + queue.topic() + "' at broker '" + queue.broker() + "', which has " + min + " to " + max);
  }

  private Future<Shelf> shelf(Node node) {
    return calls.ask(node, "list the topics", RemotingCommand.request(RequestCode.GET_ALL_TOPIC_CONFIG))
        .map(answer -> AdminCalls.read(node, answer, TopicConfigCodec::decodeTable))
        .compose(topics -> calls.ask(
                node, "list its own topics", RemotingCommand.request(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER))
            .map(answer -> new Shelf(node, topics, AdminCalls.read(node, answer, TopicListCodec::decode))));
  }

  private static List<TopicSummary> summaries(AdminCalls.Gathered<Shelf> shelves) {
    Map<String, List<TopicConfig>> byName = new TreeMap<>();
    Map<String, Set<String>> brokers = new TreeMap<>();
    Set<String> system = new HashSet<>();
    for (Shelf shelf : shelves.parts()) {
      system.addAll(shelf.system);
      for (TopicConfig topic : shelf.topics) {
        byName.computeIfAbsent(topic.name(), name -> new ArrayList<>()).add(topic);
        brokers.computeIfAbsent(topic.name(), name -> new TreeSet<>()).add(shelf.node.name());
      }
    }
    List<TopicSummary> all = new ArrayList<>();
    byName.forEach((name, configs) -> all.add(new TopicSummary(
        name,
        kind(name, system),
        List.copyOf(brokers.get(name)),
        configs.stream().mapToInt(TopicConfig::readQueues).sum(),
        configs.stream().mapToInt(TopicConfig::writeQueues).sum(),
        configs.stream().anyMatch(config -> Perm.readable(config.perm())),
        configs.stream().anyMatch(config -> Perm.writable(config.perm())),
        shelves.missing())));
    return all;
  }

  private static TopicSummary.Kind kind(String topic, Set<String> system) {
    if (Topics.isRetry(topic)) {
      return TopicSummary.Kind.RETRY;
    }
    if (Topics.isDeadLetter(topic)) {
      return TopicSummary.Kind.DEAD_LETTER;
    }
    return system.contains(topic) || Topics.closedToProducers(topic) ? TopicSummary.Kind.SYSTEM : TopicSummary.Kind.NORMAL;
  }

  /** What one broker has of a topic. */
  private record Part(
      TopicStats stats, List<String> groups, Optional<TopicConfig> config, List<String> system, OptionalDouble messagesPerSecond,
      OptionalDouble bytesPerSecond) {}

  private Future<Part> parts(Node node, String topic) {
    String what = "show topic '" + topic + "'";
    RemotingCommand stats = RemotingCommand.request(RequestCode.GET_TOPIC_STATS_INFO).ext("topic", topic);
    return calls.find(node, what, stats, ResultCode.TOPIC_NOT_EXIST).compose(found -> {
      if (found.isEmpty()) {
        return Future.succeededFuture(new Part(new TopicStats(node.name(), topic, List.of(), 0), List.of(), Optional.empty(), List.of(),
            OptionalDouble.empty(), OptionalDouble.empty()));
      }
      Future<List<String>> groups = groupsOf(node, topic);
      Future<Optional<TopicConfig>> config = calls.ask(
              node, what, RemotingCommand.request(RequestCode.GET_TOPIC_CONFIG).ext("topic", topic))
          .map(answer -> Optional.of(AdminCalls.read(node, answer, TopicConfigCodec::decode))).otherwise(Optional.empty());
      Future<List<String>> system = calls.ask(node, what, RemotingCommand.request(RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER))
          .map(answer -> AdminCalls.read(node, answer, TopicListCodec::decode)).otherwise(List.of());
      Future<OptionalDouble> messages = perSecond(node, "TOPIC_PUT_NUMS", topic);
      Future<OptionalDouble> bytes = perSecond(node, "TOPIC_PUT_SIZE", topic);
      return Future.all(groups, config, system, messages, bytes).map(all -> new Part(
          AdminCalls.read(node, found.get(), body -> TopicStats.decode(node.name(), topic, body)),
          groups.result(), config.result(), system.result(), messages.result(), bytes.result()));
    });
  }
}
