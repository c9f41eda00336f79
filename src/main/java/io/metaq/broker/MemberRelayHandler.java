package io.metaq.broker;

import io.metaq.codec.admin.ConsumerStatusBody;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.ClientInfo;
import io.metaq.coordinator.api.GroupMembers;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.TopicConfig;
import io.metaq.net.Connection;
import io.metaq.store.RecordSlice;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Passes what tools want of a group's members on to them, and their answers back: GET_CONSUMER_RUNNING_INFO,
 * CONSUME_MESSAGE_DIRECTLY, INVOKE_BROKER_TO_GET_CONSUMER_STATUS (307, 309, 223).
 */
final class MemberRelayHandler extends CommandHandler {
  /** First client version (3.1.8) that can be asked how it runs, or given a message. */
  static final int VERSION_WITH_RUNNING_INFO = 62;

  private final BrokerOptions options;
  private final LoopTopics topics;
  private final LoopGroups known;
  private final GroupsProxy groups;
  private final RelayProxy relays;
  private final MemberQueues queues;
  private final StoreView store;
  private final ColdReads reads;

  MemberRelayHandler(
      BrokerOptions options, LoopTopics topics, LoopGroups known, GroupsProxy groups, RelayProxy relays, StoreView store,
      ColdReads reads) {
    this.options = options;
    this.topics = topics;
    this.known = known;
    this.groups = groups;
    this.relays = relays;
    this.queues = new MemberQueues(relays);
    this.store = store;
    this.reads = reads;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    RequestCode code = RequestCode.of(request.code()).orElseThrow();
    return switch (code) {
      case GET_CONSUMER_RUNNING_INFO -> relay(request, copyOf(request).body(request.body()));
      case CONSUME_MESSAGE_DIRECTLY -> consumeDirectly(request);
      case INVOKE_BROKER_TO_GET_CONSUMER_STATUS -> status(request);
      default -> Future.succeededFuture(request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "nothing members are asked: " + code));
    };
  }

  private static RemotingCommand copyOf(RemotingCommand request) {
    RemotingCommand copy = RemotingCommand.request(request.code());
    request.ext().forEach(copy::ext);
    return copy;
  }

  private Future<RemotingCommand> consumeDirectly(RemotingCommand request) {
    String id = request.requireText("msgId");
    long phyOffset = MessageIds.parse(id)
        .orElseThrow(() -> new HeaderException("the field 'msgId' is no id of a place in the log: '" + id + "'")).phyOffset();
    request.requireText("clientId");
    return reads.call(() -> message(phyOffset)).compose(message -> message
        .map(bytes -> relay(request, toMember(request).body(bytes)))
        .orElseGet(() -> Future.succeededFuture(
            request.response(ResultCode.SYSTEM_ERROR, "there is no message at offset " + phyOffset + " of the commit log"))));
  }

  private Optional<byte[]> message(long phyOffset) {
    Optional<RecordSlice> record = store.recordAt(phyOffset);
    return record.map(slice -> {
      try {
        byte[] copy = new byte[slice.size()];
        slice.bytes().get(0, copy);
        return copy;
      } finally {
        slice.release();
      }
    });
  }

  /** With what clients of RocketMQ 5 want to know besides: the flags of topic and group. */
  private RemotingCommand toMember(RemotingCommand request) {
    RemotingCommand copy = copyOf(request).ext("brokerName", options.brokerName());
    request.text("topic").flatMap(topics::find).map(TopicEntry::config).map(TopicConfig::sysFlag)
        .ifPresent(flag -> copy.ext("topicSysFlag", flag));
    known.find(request.requireText("consumerGroup")).ifPresent(group -> copy.ext("groupSysFlag", group.config().sysFlag()));
    return copy;
  }

  /** To the member that the request names; its answer goes back as it is. */
  private Future<RemotingCommand> relay(RemotingCommand request, RemotingCommand toMember) {
    String group = request.requireText("consumerGroup");
    String clientId = request.requireText("clientId");
    return members(group).compose(members -> {
      Optional<ClientInfo> member = members.stream().filter(client -> client.clientId().equals(clientId)).findFirst();
      if (member.isEmpty()) {
        return Future.succeededFuture(
            request.response(ResultCode.SYSTEM_ERROR, "The Consumer <" + group + "> <" + clientId + "> not online"));
      }
      if (member.get().version() < VERSION_WITH_RUNNING_INFO) {
        return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, "The Consumer <" + clientId + "> Version <"
            + member.get().version() + "> too low to finish, please upgrade it to 3.1.8"));
      }
      return relays.send(member.get(), toMember).map(outcome -> answer(request, group, clientId, outcome));
    });
  }

  static RemotingCommand answer(RemotingCommand request, String group, String clientId, Relay.Outcome outcome) {
    return switch (outcome.end()) {
      case ANSWERED -> passedOn(request, outcome.answer());
      case TIMED_OUT -> request.response(ResultCode.CONSUME_MSG_TIMEOUT,
          "consumer <" + group + "> <" + clientId + "> Timeout: " + outcome.detail());
      case GONE, REFUSED, SENT -> request.response(ResultCode.SYSTEM_ERROR,
          "invoke consumer <" + group + "> <" + clientId + "> Exception: " + outcome.detail());
    };
  }

  private static RemotingCommand passedOn(RemotingCommand request, RemotingCommand answer) {
    RemotingCommand copy = request.response(answer.code(), answer.remark()).body(answer.body());
    answer.ext().forEach(copy::ext);
    return copy;
  }

  private Future<List<ClientInfo>> members(String group) {
    return groups.members(group).map(found -> found.map(GroupMembers::clients).orElse(List.of()));
  }

  private Future<RemotingCommand> status(RemotingCommand request) {
    String group = request.requireText("group");
    String topic = request.requireText("topic");
    Optional<String> only = request.text("clientAddr").filter(name -> !name.isBlank());
    return members(group).compose(members -> {
      List<ClientInfo> asked = members.stream().filter(client -> only.isEmpty() || only.get().equals(client.clientId())).toList();
      Optional<ClientInfo> tooOld = asked.stream().filter(client -> client.version() < MemberQueues.FIRST_VERSION).findFirst();
      if (asked.isEmpty()) {
        return Future.succeededFuture(
            request.response(ResultCode.SYSTEM_ERROR, "No Any Consumer online in the consumer group: [" + group + "]"));
      }
      if (tooOld.isPresent()) {
        return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, "the client " + tooOld.get().clientId()
            + " of group " + group + " is older than 3.0.7 and cannot be asked for its queues"));
      }
      return queues.of(group, topic, asked).map(tables -> {
        Map<String, String> byId = new TreeMap<>();
        tables.forEach((member, table) -> byId.put(member.clientId(), table));
        return request.success().body(ConsumerStatusBody.encode(byId));
      });
    });
  }
}
