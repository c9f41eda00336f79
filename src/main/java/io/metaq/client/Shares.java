package io.metaq.client;

import io.metaq.codec.client.MemberList;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;

/** What a member must know of a group to compute its share: it has itself known at the brokers of a topic, and asks who the others are. */
record Shares(ClientParts parts, Heartbeats heartbeats, Roster roster, String group) {
  /** Completes when every broker of a route was told of this client, as far as they can be reached. */
  Future<Void> introduce(Route route) {
    return Future.join(route.addresses().distinct().map(heartbeats::ensure).toList()).<Void>mapEmpty().otherwiseEmpty();
  }

  /** The client ids of the members, as the first broker tells that knows them and the {@link Roster} has it. */
  Future<List<String>> members(Route route) {
    return members(masterFirst(route));
  }

  /** Every address of a route's brokers, the masters first. */
  static List<Address> masterFirst(Route route) {
    Stream<Address> masters = route.brokers().keySet().stream().flatMap(broker -> route.master(broker).stream());
    return Stream.concat(masters, route.addresses()).distinct().toList();
  }

  private Future<List<String>> members(List<Address> brokers) {
    if (brokers.isEmpty()) {
      return Future.failedFuture(MetaqException.of(MetaqException.Reason.NO_BROKER, "no broker of the topic knows the members"));
    }
    RemotingCommand request = RemotingCommand.request(RequestCode.GET_CONSUMER_LIST_BY_GROUP).ext("consumerGroup", group);
    return parts.links()
        .to(brokers.get(0))
        .compose(link -> link.call(request, parts.timeoutMs()).map(
            answer -> {
              if (answer.code() != ResultCode.SUCCESS.wire()) {
                throw MetaqException.refused(brokers.get(0).toString(), answer.code(), answer.remark());
              }
              return roster.told(link.address(), link, link.ageNs(), parts.home().clock().nanos(), memberList(answer));
            }))
        .recover(failure -> members(brokers.subList(1, brokers.size())));
  }

  private static List<String> memberList(RemotingCommand answer) {
    try {
      return MemberList.decode(answer.body());
    } catch (HeaderException broken) {
      throw MetaqException.of(MetaqException.Reason.CONNECTION, broken.getMessage(), broken);
    }
  }
}
