package io.metaq.client;

import io.metaq.client.AdminCalls.Node;
import io.metaq.codec.admin.BrokerConsumeStats;
import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.ConsumeStats;
import io.metaq.codec.admin.ConsumersBody;
import io.metaq.codec.admin.GroupConfigCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.GroupConfig;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
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
import java.util.TreeMap;
import java.util.TreeSet;

/** Shows, makes, deletes and moves consumer groups. */
@OwnedBy("its client's context")
final class GroupAdmin {
  private static final Comparator<GroupDetails.Queue> ORDER = Comparator.comparing(GroupDetails.Queue::topic)
      .thenComparing(GroupDetails.Queue::broker).thenComparingInt(GroupDetails.Queue::queueId);

  /** Groups that brokers have from their start, for themselves and for tools. */
  private static final Set<String> SYSTEM = Set.of("TOOLS_CONSUMER", "FILTERSRV_CONSUMER", "SELF_TEST_C_GROUP",
      "CID_ONS-HTTP-PROXY", "CID_ONSAPI_PULL", "CID_ONSAPI_PERMISSION", "CID_ONSAPI_OWNER", "CID_SYS_RMQ_TRANS", "CID_RMQ_SYS_TRANS");
  private static final String SYSTEM_PREFIX = "CID_RMQ_SYS_";

  private final AdminCalls calls;

  GroupAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  Future<List<GroupSummary>> all() {
    return calls.readable().compose(nodes -> AdminCalls.gather(nodes, this::shelf)).map(found -> {
      Map<String, List<ConsumeStats>> progress = new TreeMap<>();
      Map<String, Set<String>> clients = new HashMap<>();
      for (Shelf shelf : found.parts()) {
        shelf.progress.forEach((group, stats) -> progress.computeIfAbsent(group, name -> new ArrayList<>()).addAll(stats));
        shelf.clients.forEach((group, ids) -> clients.computeIfAbsent(group, name -> new HashSet<>()).addAll(ids));
      }
      List<GroupSummary> all = new ArrayList<>();
      progress.forEach((group, stats) -> all.add(summary(group, stats, clients.getOrDefault(group, Set.of()).size(), found.missing())));
      return found.unlessUnknown(all, all.isEmpty());
    });
  }

  Future<GroupDetails> one(String group) {
    return calls.readable().compose(nodes -> AdminCalls.gather(nodes, node -> part(node, group))).map(found -> {
      List<Part> parts = found.parts();
      if (parts.stream().noneMatch(Part::known)) {
        throw found.first().orElseGet(() -> unknown(group));
      }
      Map<String, GroupDetails.Member> members = new TreeMap<>();
      Map<String, String> subscriptions = new HashMap<>();
      Set<String> contradictions = new TreeSet<>();
      List<GroupDetails.Queue> queues = new ArrayList<>();
      String model = "";
      String type = "";
      double perSecond = 0;
      for (Part part : parts) {
        for (ConsumersBody connected : part.members.stream().toList()) {
          model = connected.messageModel();
          type = connected.consumeType();
          subscriptions.putAll(connected.subscriptions());
          contradictions.addAll(connected.contradictions());
          connected.clients().forEach(client -> members.put(client.clientId(), member(client)));
        }
        perSecond += part.progress.consumeTps();
        part.progress.queues().forEach(queue -> queues.add(new GroupDetails.Queue(queue.topic(), part.progress.brokerName(),
            queue.queueId(), queue.brokerOffset(), queue.consumerOffset(), queue.lastStoreTimeMs())));
      }
      queues.sort(ORDER);
      return new GroupDetails(group, model, type, perSecond, List.copyOf(members.values()), subscriptions, List.copyOf(contradictions), queues,
          found.missing());
    });
  }

  static GroupDetails.Member member(ConnectionsBody.Client client) {
    return new GroupDetails.Member(client.clientId(), client.remote(), client.language(), client.version());
  }

  Future<List<String>> put(String group, int retries, boolean broadcast, Optional<String> cluster, Optional<String> broker) {
    String fault = Topics.groupFault(group);
    if (fault != null) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.INVALID, fault));
    }
    GroupConfig usual = GroupConfig.of(group);
    GroupConfig wanted = new GroupConfig(group, usual.consumeEnabled(), usual.consumeFromMinEnabled(), broadcast,
        usual.consumeOrderly(), usual.retryQueues(), retries, usual.brokerId(), usual.whichBrokerWhenConsumeSlowly(), usual.notifyMembersChanged(),
        usual.sysFlag(), usual.consumeTimeoutMinutes(), usual.retryPolicyJson(), usual.attributes());
    return calls.masters(cluster, broker).compose(masters -> AdminCalls.inOrder(masters, node ->
        calls.ask(node, "create group '" + group + "'", RemotingCommand.request(RequestCode.UPDATE_AND_CREATE_SUBSCRIPTIONGROUP)
            .body(GroupConfigCodec.encode(wanted))).map(done -> node.name())));
  }

  /** All must answer before any is changed. With its progress; its retry and dead-letter topics stay. */
  Future<List<String>> delete(String group) {
    return calls.masters(Optional.empty(), Optional.empty())
        .compose(masters -> AdminCalls.forEach(masters, node -> part(node, group)).compose(parts -> {
          if (parts.stream().noneMatch(Part::known)) {
            throw unknown(group);
          }
          return AdminCalls.inOrder(masters, node ->
              calls.ask(node, "delete group '" + group + "'", RemotingCommand.request(RequestCode.DELETE_SUBSCRIPTIONGROUP)
                  .ext("groupName", group).ext("cleanOffset", true).ext("removeOffset", true)).map(done -> node.name()));
        }));
  }

  /** Fails with {@code NOT_FOUND} when no broker knows it. */
  Future<Void> require(String group) {
    return calls.readable().compose(nodes -> AdminCalls.gather(nodes, node -> configured(node, group))).map(found -> {
      if (!found.parts().contains(true)) {
        throw found.first().orElseGet(() -> unknown(group));
      }
      return null;
    });
  }

  static MetaqException unknown(String group) {
    return MetaqException.of(MetaqException.Reason.NOT_FOUND, "consumer group '" + group + "' does not exist");
  }

  /** What one broker knows of its groups: progress and ids of connected members by name. */
  private record Shelf(Map<String, List<ConsumeStats>> progress, Map<String, List<String>> clients) {}

  private Future<Shelf> shelf(Node node) {
    return groups(node).compose(groups -> calls.ask(node, "show the progress of groups",
            RemotingCommand.request(RequestCode.GET_BROKER_CONSUME_STATS).ext("isOrder", false))
        .compose(answer -> {
          Map<String, List<ConsumeStats>> progress = new TreeMap<>();
          groups.forEach(group -> progress.put(group.name(), List.of()));
          AdminCalls.read(node, answer, body -> BrokerConsumeStats.decode(node.name(), body)).groups()
              .forEach(group -> progress.put(group.name(), group.topics()));
          List<String> names = List.copyOf(progress.keySet());
          return AdminCalls.forEach(names, group -> members(node, group)).map(members -> {
            Map<String, List<String>> clients = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
              String name = names.get(i);
              members.get(i).ifPresent(
                  connected -> clients.put(name, connected.clients().stream().map(ConnectionsBody.Client::clientId).toList()));
            }
            return new Shelf(progress, clients);
          });
        }));
  }

  /** Of one group at one broker; empty when nobody is connected there. */
  Future<Optional<ConsumersBody>> members(Node node, String group) {
    return calls.find(node, "show the members of group '" + group + "'",
            RemotingCommand.request(RequestCode.GET_CONSUMER_CONNECTION_LIST).ext("consumerGroup", group),
            ResultCode.CONSUMER_NOT_ONLINE)
        .map(found -> found.map(answer -> AdminCalls.read(node, answer, ConsumersBody::decode)));
  }

  private static GroupSummary summary(String group, List<ConsumeStats> stats, int members, List<MissingBroker> missing) {
    Set<String> topics = new TreeSet<>();
    long lag = 0;
    for (ConsumeStats.Queue queue : stats.stream().flatMap(topic -> topic.queues().stream()).toList()) {
      lag += Math.max(0, queue.behind());
      if (!Topics.isRetry(queue.topic()) && !Topics.isDeadLetter(queue.topic())) {
        topics.add(queue.topic());
      }
    }
    return new GroupSummary(group, system(group), members, lag, List.copyOf(topics), missing);
  }

  private static boolean system(String group) {
    return SYSTEM.contains(group) || group.startsWith(SYSTEM_PREFIX);
  }

  /** What one broker knows of a group. */
  private record Part(boolean configured, Optional<ConsumersBody> members, ConsumeStats progress) {
    boolean known() {
      return configured || members.isPresent() || !progress.queues().isEmpty();
    }
  }

  private Future<Part> part(Node node, String group) {
    RemotingCommand progress = RemotingCommand.request(RequestCode.GET_CONSUME_STATS).ext("consumerGroup", group);
    return configured(node, group)
        .compose(configured -> members(node, group)
            .compose(members -> calls.ask(node, "show group '" + group + "'", progress)
                .map(answer -> new Part(configured, members,
                    AdminCalls.read(node, answer, body -> ConsumeStats.decode(node.name(), body))))));
  }

  /** By the table of all: RocketMQ makes a group when it is asked for one that it does not know. */
  private Future<Boolean> configured(Node node, String group) {
    return groups(node).map(all -> all.stream().anyMatch(config -> config.name().equals(group)));
  }

  private Future<List<GroupConfig>> groups(Node node) {
    return calls.ask(node, "list the groups", RemotingCommand.request(RequestCode.GET_ALL_SUBSCRIPTIONGROUP_CONFIG))
        .map(answer -> AdminCalls.read(node, answer, GroupConfigCodec::decodeTable));
  }
}
