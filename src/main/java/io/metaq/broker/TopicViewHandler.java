package io.metaq.broker;

import io.metaq.codec.admin.QueueUnitsBody;
import io.metaq.codec.admin.TopicStats;
import io.metaq.codec.registry.TopicConfigCodec;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.metaq.store.UnitWindow;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Shows topics: GET_TOPIC_CONFIG, GET_TOPIC_STATS_INFO, GET_SYSTEM_TOPIC_LIST_FROM_BROKER, QUERY_CONSUME_QUEUE (351, 202, 305,
 * 321).
 */
final class TopicViewHandler extends CommandHandler {
  private static final int MOST_UNITS = 1_000;
  private static final int UNITS_AT_ONCE = 64;

  private final BrokerOptions options;
  private final Set<String> system;
  private final LoopTopics topics;
  private final StoreView store;
  private final ColdReads reads;
  private final BrokerStatistics statistics;

  TopicViewHandler(BrokerOptions options, Set<String> system, LoopTopics topics, StoreView store, ColdReads reads,
      BrokerStatistics statistics) {
    this.options = options;
    this.system = system;
    this.topics = topics;
    this.store = store;
    this.reads = reads;
    this.statistics = statistics;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    if (code == RequestCode.GET_SYSTEM_TOPIC_LIST_FROM_BROKER) {
      return Future.succeededFuture(request.success().body(TopicListCodec.encode(system)));
    }
    String name = request.requireText("topic");
    Optional<TopicConfig> topic = topics.find(name).map(TopicEntry::config);
    if (topic.isEmpty()) {
      ResultCode refusal = code == RequestCode.QUERY_CONSUME_QUEUE ? ResultCode.SYSTEM_ERROR : ResultCode.TOPIC_NOT_EXIST;
      return Future.succeededFuture(request.response(refusal, "topic " + name + " does not exist on this broker"));
    }
    return switch (code) {
      case GET_TOPIC_CONFIG -> Future.succeededFuture(request.success().body(TopicConfigCodec.encode(topic.get())));
      case GET_TOPIC_STATS_INFO -> reads.call(() -> request.success().body(stats(topic.get()).encode()));
      case QUERY_CONSUME_QUEUE -> units(request, topic.get());
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not about a topic: " + code));
    };
  }

  private TopicStats stats(TopicConfig topic) {
    List<TopicStats.Queue> queues = new ArrayList<>();
    for (int queueId = 0; queueId < Math.max(topic.readQueues(), topic.writeQueues()); queueId++) {
      long max = store.maxOffset(topic.name(), queueId);
      long lastMs = max == 0 ? 0 : Math.max(0, store.storeTimeOf(topic.name(), queueId, max - 1));
      queues.add(new TopicStats.Queue(queueId, store.minOffset(topic.name(), queueId), max, lastMs));
    }
    return new TopicStats(options.brokerName(), topic.name(), queues, statistics.perSecond(Statistic.TOPIC_PUT_NUMS, topic.name()));
  }

  private Future<RemotingCommand> units(RemotingCommand request, TopicConfig topic) {
    int queueId = request.requireInt("queueId");
    long index = request.requireLong("index");
    int count = request.requireInt("count");
    if (queueId < 0 || queueId >= Math.max(topic.readQueues(), topic.writeQueues())) {
      return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, "topic " + topic.name() + " has no queue " + queueId));
    }
    return reads.call(() -> {
      long min = store.minOffset(topic.name(), queueId);
      long max = store.maxOffset(topic.name(), queueId);
      if (index < min || index >= max) {
        return request.success().remark("index " + index + " is outside of the queue, which has " + min + " to " + (max - 1));
      }
      long end = Math.min(max, index + Math.max(0, Math.min(count, MOST_UNITS)));
      return request.success().body(new QueueUnitsBody(min, max, units(topic.name(), queueId, index, end)).encode());
    });
  }

  private List<QueueUnitsBody.Unit> units(String topic, int queueId, long from, long end) {
    List<QueueUnitsBody.Unit> units = new ArrayList<>();
    UnitWindow window = new UnitWindow(UNITS_AT_ONCE);
    long at = from;
    int read;
    do {
      read = store.readUnits(topic, queueId, at, (int) Math.min(UNITS_AT_ONCE, end - at), window);
      for (int i = 0; i < read; i++) {
        units.add(new QueueUnitsBody.Unit(window.phyOffset(i), window.size(i), window.tagsCode(i)));
      }
      at += read;
    } while (read > 0 && at < end);
    return units;
  }
}
