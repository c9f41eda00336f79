package io.metaq.broker;

import io.metaq.codec.admin.BrokerConsumeStats;
import io.metaq.codec.admin.ConsumeStats;
import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.admin.TimeSpans;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.Clock;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Shows how far groups are: GET_CONSUME_STATS, GET_BROKER_CONSUME_STATS, QUERY_CONSUME_TIME_SPAN, QUERY_CORRECTION_OFFSET (208,
 * 317, 303, 308).
 */
final class ProgressHandler extends CommandHandler {
  private final AdminOptions admin;
  private final BrokerOptions options;
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final OffsetsProxy offsets;
  private final StoreView store;
  private final ColdReads reads;
  private final BrokerStatistics statistics;
  private final Clock clock;

  ProgressHandler(AdminOptions admin, BrokerOptions options, LoopTopics topics, LoopGroups groups, OffsetsProxy offsets,
      StoreView store, ColdReads reads, BrokerStatistics statistics, Clock clock) {
    this.admin = admin;
    this.options = options;
    this.topics = topics;
    this.groups = groups;
    this.offsets = offsets;
    this.store = store;
    this.reads = reads;
    this.statistics = statistics;
    this.clock = clock;
  }

  /** A topic as one group sees it. */
  private record Reading(TopicConfig topic, Map<Integer, Long> progress) {}

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    return switch (code) {
      case GET_CONSUME_STATS -> group(request);
      case GET_BROKER_CONSUME_STATS -> broker(request);
      case QUERY_CONSUME_TIME_SPAN -> timeSpans(request);
      case QUERY_CORRECTION_OFFSET -> corrections(request);
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not about progress: " + code));
    };
  }

  private Future<RemotingCommand> group(RemotingCommand request) {
    String group = request.requireText("consumerGroup");
    List<String> named = request.text("topicList").filter(list -> !list.isBlank())
        .map(list -> Stream.of(list.split(";")).filter(name -> !name.isBlank()).toList()).orElse(List.of());
    Optional<String> topic = request.text("topic").filter(name -> !name.isBlank());
    return offsets.progressOf(group).compose(progress -> {
      List<Reading> readings = !named.isEmpty()
          ? readings(named, progress)
          : readings(topic.<List<String>>map(List::of).orElseGet(() -> subscribed(group, progress.keySet())), progress);
      return reads.call(() -> request.success().body(stats(group, readings).encode()));
    });
  }

  /** What a connected group has given up is left out. */
  private List<String> subscribed(String group, Set<String> withProgress) {
    Optional<GroupSnapshot> online = groups.find(group).filter(found -> !found.subscriptions().isEmpty());
    return withProgress.stream().filter(topic -> online.isEmpty() || online.get().subscriptions().containsKey(topic)).toList();
  }

  private List<Reading> readings(List<String> names, Map<String, Map<Integer, Long>> progress) {
    List<Reading> readings = new ArrayList<>();
    for (String name : names) {
      topics.find(name).ifPresent(topic -> readings.add(new Reading(topic.config(), progress.getOrDefault(name, Map.of()))));
    }
    return readings;
  }

  /** On a worker: reads of store times may wait for the disk. */
  private ConsumeStats stats(String group, List<Reading> readings) {
    List<ConsumeStats.Queue> queues = new ArrayList<>();
    double perSecond = 0;
    for (Reading reading : readings) {
      String topic = reading.topic.name();
      perSecond += statistics.perSecond(Statistic.GROUP_GET_NUMS, Statistic.keyOf(topic, group));
      for (int queueId = 0; queueId < reading.topic.readQueues(); queueId++) {
        long consumed = Math.max(0, reading.progress.getOrDefault(queueId, 0L));
        long lastMs = consumed == 0 ? 0 : Math.max(0, store.storeTimeOf(topic, queueId, consumed - 1));
        queues.add(new ConsumeStats.Queue(topic, queueId, store.maxOffset(topic, queueId), consumed, lastMs));
      }
    }
    return new ConsumeStats(options.brokerName(), queues, perSecond);
  }

  private Future<RemotingCommand> broker(RemotingCommand request) {
    boolean ordered = Boolean.parseBoolean(request.requireText("isOrder"));
    Map<String, List<Reading>> byGroup = new TreeMap<>();
    Future<?> collected = Future.succeededFuture();
    for (GroupSnapshot group : groups.all()) {
      String name = group.config().name();
      collected = collected.compose(before -> offsets.progressOf(name)).onSuccess(progress -> {
        List<Reading> readings = readings(subscribed(name, progress.keySet()), progress).stream()
            .filter(reading -> !ordered || reading.topic.order()).toList();
        if (!readings.isEmpty()) {
          byGroup.put(name, readings);
        }
      });
    }
    return collected.compose(all -> reads.call(() -> {
      List<BrokerConsumeStats.Group> stats = new ArrayList<>();
      byGroup.forEach((name, readings) -> stats.add(
          new BrokerConsumeStats.Group(name, readings.stream().map(reading -> stats(name, List.of(reading))).toList())));
      return request.success().body(new BrokerConsumeStats(admin.address(), stats).encode());
    }));
  }

  private Future<RemotingCommand> timeSpans(RemotingCommand request) {
    String group = request.requireText("group");
    String name = request.requireText("topic");
    Optional<TopicConfig> topic = topics.find(name).map(TopicEntry::config);
    if (topic.isEmpty()) {
      return Future.succeededFuture(request.response(ResultCode.TOPIC_NOT_EXIST, "topic " + name + " does not exist on this broker"));
    }
    return offsets.progressOf(group).compose(progress -> reads.call(() -> {
      List<TimeSpans.Queue> queues = new ArrayList<>();
      for (int queueId = 0; queueId < topic.get().writeQueues(); queueId++) {
        queues.add(timeSpan(name, queueId, progress.getOrDefault(name, Map.of()).getOrDefault(queueId, 0L)));
      }
      return request.success().body(new TimeSpans(options.brokerName(), name, queues).encode());
    }));
  }

  private TimeSpans.Queue timeSpan(String topic, int queueId, long consumed) {
    long max = store.maxOffset(topic, queueId);
    long firstMs = store.earliestStoreTime(topic, queueId);
    long lastMs = store.storeTimeOf(topic, queueId, max - 1);
    long consumedMs = consumed > 0 ? store.storeTimeOf(topic, queueId, consumed - 1) : firstMs;
    long nextMs = consumed < max ? store.storeTimeOf(topic, queueId, consumed) : -1;
    return new TimeSpans.Queue(queueId, firstMs, lastMs, consumedMs, nextMs < 0 ? 0 : clock.millis() - nextMs);
  }

  /**
   * For each queue how far the slowest of the other groups is, and {@link Long#MAX_VALUE} where the compared group is behind all of
   * them already.
   */
  private Future<RemotingCommand> corrections(RemotingCommand request) {
    String topic = request.requireText("topic");
    String compared = request.requireText("compareGroup");
    Set<String> left = Set.of(request.text("filterGroups").orElse("").split(","));
    Map<Integer, Long> slowest = new TreeMap<>();
    return offsets.groupsOf(topic).compose(names -> {
      Future<?> collected = Future.succeededFuture();
      for (String name : names) {
        if (!left.contains(name)) {
          collected = collected.compose(before -> offsets.progressOf(name))
              .onSuccess(progress -> progress.getOrDefault(topic, Map.of()).forEach((id, at) -> slowest.merge(id, at, Math::min)));
        }
      }
      return collected;
    }).compose(all -> offsets.progressOf(compared)).map(progress -> {
      progress.getOrDefault(topic, Map.of())
          .forEach((id, at) -> slowest.computeIfPresent(id, (queueId, least) -> least > at ? Long.MAX_VALUE : least));
      return request.success().body(OffsetsBody.corrections(slowest));
    });
  }
}
