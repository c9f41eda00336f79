package io.metaq.client;

import io.metaq.client.AdminCalls.Node;
import io.metaq.codec.admin.ConnectionsBody;
import io.metaq.codec.admin.RunningBody;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.vertx.core.Future;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Asks the members of groups how they run, through the brokers they are connected to. */
@OwnedBy("its client's context")
final class MemberAdmin {
  private static final Comparator<MemberReport.Queue> ORDER = Comparator.comparing(MemberReport.Queue::queue);

  private final AdminCalls calls;
  private final GroupAdmin groups;

  MemberAdmin(AdminCalls calls, GroupAdmin groups) {
    this.calls = calls;
    this.groups = groups;
  }

  /** A member, and a broker that can pass a question on to it. */
  private record Reachable(Node node, ConnectionsBody.Client client) {}

  /** Empty when nobody is connected. A member that does not answer in time tells so itself. */
  Future<GroupMembers> of(String group, long limitMs) {
    return calls.readable()
        .compose(nodes -> AdminCalls.gather(nodes, node -> groups.members(node, group).map(found -> Map.entry(node, found))))
        .compose(found -> {
          Map<String, Reachable> byId = new TreeMap<>();
          found.parts().forEach(shelf -> shelf.getValue().ifPresent(body -> body.clients().forEach(client ->
              byId.putIfAbsent(client.clientId(), new Reachable(shelf.getKey(), client)))));
          return AdminCalls.forEach(List.copyOf(byId.values()), member -> ask(group, member, limitMs))
              .map(reports -> new GroupMembers(reports, found.missing()));
        });
  }

  private Future<MemberReport> ask(String group, Reachable member, long limitMs) {
    GroupDetails.Member who = GroupAdmin.member(member.client);
    RemotingCommand request = RemotingCommand.request(RequestCode.GET_CONSUMER_RUNNING_INFO)
        .ext("consumerGroup", group).ext("clientId", who.clientId()).ext("jstackEnable", false);
    return calls.ask(member.node, "ask member '" + who.clientId() + "'", request, limitMs)
        .map(answer -> AdminCalls.read(member.node, answer, RunningBody::decode))
        .map(told -> new MemberReport(who, Optional.empty(), Optional.of(told(told))))
        .otherwise(failure -> new MemberReport(who, Optional.of(String.valueOf(failure.getMessage())), Optional.empty()));
  }

  private static MemberReport.Told told(RunningBody body) {
    Map<String, String> properties = body.properties();
    return new MemberReport.Told(
        properties.getOrDefault("PROP_CLIENT_VERSION", ""),
        since1970(number(properties.getOrDefault("PROP_CONSUMER_START_TIMESTAMP", ""))),
        Boolean.parseBoolean(properties.getOrDefault("PROP_CONSUMEORDERLY", "false")),
        new LinkedHashMap<>(body.subscriptions()),
        body.queues().stream().map(MemberAdmin::queue).sorted(ORDER).toList(),
        body.topics().stream().map(topic -> new MemberReport.Topic(
            topic.topic(), topic.pulledPerSecond(), topic.consumedPerSecond(), topic.failedPerSecond(), topic.consumeMs())).toList());
  }

  private static MemberReport.Queue queue(RunningBody.Queue queue) {
    return new MemberReport.Queue(
        new TopicQueue(queue.topic(), queue.broker(), queue.queueId()),
        queue.progress() < 0 ? OptionalLong.empty() : OptionalLong.of(queue.progress()),
        queue.cached(), since1970(queue.lastPullMs()), since1970(queue.lastConsumeMs()), queue.locked(), queue.leaving(), queue.pop());
  }

  private static OptionalLong since1970(long ms) {
    return ms <= 0 ? OptionalLong.empty() : OptionalLong.of(ms);
  }

  private static long number(String text) {
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
  }
}
