package io.metaq.broker;

import io.metaq.codec.admin.ConsumerStatusBody;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.ClientInfo;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks members of a group which queues of a topic they have and where they are in them (GET_CONSUMER_STATUS_FROM_CLIENT, 221). */
final class MemberQueues {
  /** First client version (3.0.7) that can be asked for its queues, or sent to other offsets. */
  static final int FIRST_VERSION = 28;

  private final RelayProxy relays;

  MemberQueues(RelayProxy relays) {
    this.relays = relays;
  }

  /** The tables of those that answer in time, as {@link ConsumerStatusBody} has them; all are asked at once. */
  Future<Map<ClientInfo, String>> of(String group, String topic, List<ClientInfo> members) {
    Map<ClientInfo, String> tables = new LinkedHashMap<>();
    List<Future<Relay.Outcome>> asked = members.stream()
        .map(member -> relays
            .send(member, RemotingCommand.request(RequestCode.GET_CONSUMER_STATUS_FROM_CLIENT).ext("topic", topic).ext("group", group))
            .onSuccess(outcome -> table(outcome).ifPresent(table -> tables.put(member, table))))
        .toList();
    return Future.join(asked).map(all -> tables);
  }

  private static Optional<String> table(Relay.Outcome outcome) {
    if (outcome.end() != Relay.End.ANSWERED || outcome.answer().code() != ResultCode.SUCCESS.wire()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ConsumerStatusBody.tableOf(outcome.answer().body()));
    } catch (BodyException unreadable) {
      return Optional.empty();
    }
  }
}
