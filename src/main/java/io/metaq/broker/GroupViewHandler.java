package io.metaq.broker;

import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.GroupBodies;
import io.metaq.codec.admin.GroupConfigCodec;
import io.metaq.codec.registry.TopicListCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.coordinator.api.OffsetsProxy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Shows groups and their clients: GET_SUBSCRIPTIONGROUP_CONFIG, GET_CONSUMER_CONNECTION_LIST, GET_PRODUCER_CONNECTION_LIST,
 * GET_ALL_PRODUCER_INFO, QUERY_TOPIC_CONSUME_BY_WHO, QUERY_TOPICS_BY_CONSUMER, QUERY_SUBSCRIPTION_BY_CONSUMER (352, 203, 204, 328, 300,
 * 343, 345).
 */
final class GroupViewHandler extends CommandHandler {
  private final String brokerAddress;
  private final LoopGroups known;
  private final GroupsProxy groups;
  private final OffsetsProxy offsets;

  GroupViewHandler(String brokerAddress, LoopGroups known, GroupsProxy groups, OffsetsProxy offsets) {
    this.brokerAddress = brokerAddress;
    this.known = known;
    this.groups = groups;
    this.offsets = offsets;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    return switch (code) {
      case GET_SUBSCRIPTIONGROUP_CONFIG -> Future.succeededFuture(config(request));
      case GET_CONSUMER_CONNECTION_LIST -> consumers(request);
      case GET_PRODUCER_CONNECTION_LIST -> producers(request);
      case GET_ALL_PRODUCER_INFO -> groups.producers().map(all -> request.success().body(allProducers(all)));
      case QUERY_TOPIC_CONSUME_BY_WHO -> readers(request);
      case QUERY_TOPICS_BY_CONSUMER -> offsets.progressOf(request.requireText("group"))
          .map(topics -> request.success().body(TopicListCodec.encode(topics.keySet(), Optional.of(brokerAddress))));
      case QUERY_SUBSCRIPTION_BY_CONSUMER -> Future.succeededFuture(subscription(request));
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "not about a group: " + code));
    };
  }

  private RemotingCommand config(RemotingCommand request) {
    String group = request.requireText("group");
    return known.find(group)
        .map(found -> request.success().body(GroupConfigCodec.encode(found.config())))
        .orElseGet(() ->
            request.response(ResultCode.SUBSCRIPTION_GROUP_NOT_EXIST, "consumer group " + group + " does not exist on this broker"));
  }

  private Future<RemotingCommand> consumers(RemotingCommand request) {
    String group = request.requireText("consumerGroup");
    return groups.members(group).map(found -> found
        .map(members -> request.success().body(ConnectionsBody.consumers(clients(members.clients()), members.consumeType(),
            members.messageModel(), members.consumeFromWhere(), members.subscriptions(), members.contradictions())))
        .orElseGet(() -> request.response(ResultCode.CONSUMER_NOT_ONLINE, "no member of consumer group " + group + " is connected")));
  }

  private Future<RemotingCommand> producers(RemotingCommand request) {
    String group = request.requireText("producerGroup");
    return groups.producers().map(all -> all.containsKey(group)
        ? request.success().body(ConnectionsBody.producers(clients(all.get(group))))
        : request.response(ResultCode.SYSTEM_ERROR, "no producer of group " + group + " is connected"));
  }

  private static byte[] allProducers(Map<String, List<ClientInfo>> all) {
    Map<String, List<ConnectionsBody.Client>> byGroup = new TreeMap<>();
    all.forEach((group, clients) -> byGroup.put(group, clients(clients)));
    return ConnectionsBody.allProducers(byGroup);
  }

  private static List<ConnectionsBody.Client> clients(List<ClientInfo> clients) {
    return clients.stream()
        .map(client ->
            new ConnectionsBody.Client(client.clientId(), client.remote(), client.language(), client.version(), client.seenAtMs()))
        .toList();
  }

  private Future<RemotingCommand> readers(RemotingCommand request) {
    String topic = request.requireText("topic");
    TreeSet<String> names = new TreeSet<>();
    known.all().stream()
        .filter(group -> group.subscriptions().containsKey(topic))
        .forEach(group -> names.add(group.config().name()));
    return offsets.groupsOf(topic).map(stored -> {
      names.addAll(stored);
      return request.success().body(GroupBodies.names(names));
    });
  }

  private RemotingCommand subscription(RemotingCommand request) {
    String group = request.requireText("group");
    String topic = request.requireText("topic");
    return request.success().body(
        GroupBodies.subscription(group, topic, known.find(group).map(found -> found.subscriptions().get(topic))));
  }
}
