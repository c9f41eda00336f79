package io.metaq.broker;

import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetCommits;
import io.metaq.coordinator.api.OffsetReset;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.metaq.store.TimeBoundary;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves groups to other offsets: INVOKE_BROKER_TO_RESET_OFFSET, CLONE_GROUP_OFFSET (222, 314). A reset is stored here, and each reader of
 * the group is sent to it when it pulls next; or, without {@code useServerSideResetOffset}, the connected members are told to move
 * (220) and nothing is stored before they commit.
 */
final class ProgressAdminHandler extends CommandHandler {
  private static final int ALL_QUEUES = -1;
  private static final long NOT_GIVEN = -1;
  private static final Logger log = LoggerFactory.getLogger(ProgressAdminHandler.class);

  private final BrokerOptions options;
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final OffsetsProxy offsets;
  private final GroupsProxy members;
  private final RelayProxy relays;
  private final StoreView store;
  private final ColdReads reads;

  ProgressAdminHandler(
      BrokerOptions options, LoopTopics topics, LoopGroups groups, OffsetsProxy offsets, GroupsProxy members, RelayProxy relays,
      StoreView store, ColdReads reads) {
    this.options = options;
    this.topics = topics;
    this.groups = groups;
    this.offsets = offsets;
    this.members = members;
    this.relays = relays;
    this.store = store;
    this.reads = reads;
  }

  /** A reset as it was asked for; {@code queueId} {@value #ALL_QUEUES}: all of them, {@code offset} {@value #NOT_GIVEN}: by the time. */
  private record Reset(String group, TopicConfig topic, int queueId, long offset, long timestampMs, boolean force) {}

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    log.info("progress of a group is administrated code={} ext={} remote={}", request.code(), request.ext(), connection.remote());
    return request.code() == RequestCode.CLONE_GROUP_OFFSET.wire() ? copy(request) : reset(request);
  }

  private Future<RemotingCommand> reset(RemotingCommand request) {
    String group = request.requireText("group");
    String name = request.requireText("topic");
    long timestampMs = request.requireLong("timestamp");
    long queueId = request.longOr("queueId", ALL_QUEUES);
    Optional<TopicConfig> topic = topics.find(name).map(TopicEntry::config);
    if (topic.isEmpty()) {
      return Future.succeededFuture(request.response(ResultCode.TOPIC_NOT_EXIST, "topic " + name + " does not exist on this broker"));
    }
    if (groups.find(group).isEmpty()) {
      return Future.succeededFuture(
          request.response(ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + group + " does not exist on this broker"));
    }
    if (queueId != ALL_QUEUES && (queueId < 0 || queueId >= topic.get().readQueues())) {
      return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, "topic " + name + " has no queue " + queueId));
    }
    Reset wish = new Reset(group, topic.get(), (int) queueId, request.longOr("offset", NOT_GIVEN), timestampMs,
        request.booleanOr("isForce", false));
    Future<Map<Integer, Long>> targets = reads.call(() -> targets(wish));
    if (!options.serverSideReset()) {
      return targets.compose(all -> tellMembers(request, wish, all));
    }
    return targets.compose(all -> isOnline(group).compose(online ->
        offsets.reset(new OffsetReset(group, name, all, online)).map(done -> moved(request, wish, all))));
  }

  /** By the owner's table: what this loop knows of members that came or left on another one may be a moment old. */
  private Future<Boolean> isOnline(String group) {
    return members.members(group).map(found -> found.filter(known -> !known.clients().isEmpty()).isPresent());
  }

  private RemotingCommand moved(RemotingCommand request, Reset wish, Map<Integer, Long> targets) {
    return request.success().body(OffsetsBody.reset(options.brokerName(), wish.topic.name(), targets));
  }

  /** Without force, members go back only. */
  private Future<RemotingCommand> tellMembers(RemotingCommand request, Reset wish, Map<Integer, Long> targets) {
    return members.members(wish.group).compose(found -> {
      List<ClientInfo> clients = found.map(GroupMembers::clients).orElse(List.of());
      Optional<ClientInfo> tooOld =
          clients.stream().filter(client -> client.version() < MemberQueues.FIRST_VERSION).findFirst();
      if (clients.isEmpty()) {
        return Future.succeededFuture(request.response(ResultCode.CONSUMER_NOT_ONLINE,
            "Consumer not online, so can not reset offset. Group: " + wish.group + " Topic: " + wish.topic.name()));
      }
      if (tooOld.isPresent()) {
        return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, "the client " + tooOld.get().clientId() + " of group "
            + wish.group + " is older than 3.0.7 and cannot be sent to other offsets"));
      }
      return offsets.progressOf(wish.group).compose(progress -> {
        Map<Integer, Long> told = new TreeMap<>(targets);
        if (!wish.force) {
          progress.getOrDefault(wish.topic.name(), Map.of())
              .forEach((queueId, consumed) -> told.computeIfPresent(queueId, (id, target) -> Math.min(target, consumed)));
        }
        clients.forEach(client -> relays.send(client, order(client, wish, told)));
        return Future.succeededFuture(moved(request, wish, told));
      });
    });
  }

  private RemotingCommand order(ClientInfo client, Reset wish, Map<Integer, Long> targets) {
    byte[] table = client.language().equals("CPP")
        ? OffsetsBody.resetList(options.brokerName(), wish.topic.name(), targets)
        : OffsetsBody.reset(options.brokerName(), wish.topic.name(), targets);
    return RemotingCommand.oneway(RequestCode.RESET_CONSUMER_CLIENT_OFFSET)
        .ext("topic", wish.topic.name()).ext("group", wish.group).ext("timestamp", wish.timestampMs).ext("isForce", wish.force).body(table);
  }

  /** On a worker: looks the offsets up by time. */
  private Map<Integer, Long> targets(Reset wish) {
    Map<Integer, Long> targets = new TreeMap<>();
    String topic = wish.topic.name();
    if (wish.queueId != ALL_QUEUES) {
      targets.put(wish.queueId, wish.offset == NOT_GIVEN ? byTime(topic, wish.queueId, wish.timestampMs) : checked(wish));
    } else {
      for (int queueId = 0; queueId < wish.topic.readQueues(); queueId++) {
        targets.put(queueId, byTime(topic, queueId, wish.timestampMs));
      }
    }
    return targets;
  }

  /** A time before 1970 stands for the end of the queue. */
  private long byTime(String topic, int queueId, long timestampMs) {
    return timestampMs < 0
        ? store.maxOffset(topic, queueId)
        : store.offsetByTime(topic, queueId, timestampMs, TimeBoundary.LOWER);
  }

  private long checked(Reset wish) {
    long min = store.minOffset(wish.topic.name(), wish.queueId);
    long max = store.maxOffset(wish.topic.name(), wish.queueId);
    if (wish.offset < min || wish.offset > max) {
      throw new HeaderException("offset " + wish.offset + " is outside of queue " + wish.queueId + " of topic " + wish.topic.name()
          + ", which has " + min + " to " + max);
    }
    return wish.offset;
  }

  /** Of a connected group only what it subscribes to is taken over. */
  private Future<RemotingCommand> copy(RemotingCommand request) {
    String from = request.requireText("srcGroup");
    String to = request.requireText("destGroup");
    Optional<String> only = request.text("topic").filter(name -> !name.isBlank());
    Optional<GroupSnapshot> online = groups.find(from).filter(GroupSnapshot::online);
    return offsets.progressOf(from).compose(progress -> {
      OffsetCommits commits = new OffsetCommits();
      progress.forEach((topic, queues) -> {
        boolean wanted = only.map(topic::equals).orElseGet(() -> online.isEmpty() || online.get().subscriptions().containsKey(topic));
        if (wanted) {
          queues.forEach((queueId, offset) -> commits.add(to, topic, queueId, offset));
        }
      });
      return stored(commits, to).map(done -> request.success());
    });
  }

  /** Completes when whoever asks next is told the new offsets: the question comes behind the commits. */
  private Future<?> stored(OffsetCommits commits, String group) {
    offsets.commit(commits);
    return offsets.progressOf(group);
  }
}
