package io.metaq.client;

import io.metaq.client.AdminCalls.Node;
import io.metaq.codec.admin.OffsetsBody;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Moves consumer groups to other offsets. A broker is asked to do it for all queues at once; one that does it by its members only,
 * and has none, gets the offsets one by one.
 */
@OwnedBy("its client's context")
final class GroupReset {
  private static final long END = -1;

  private final AdminCalls calls;
  private final RouteCache routes;
  private final BrokerOffsets offsets;

  GroupReset(AdminCalls calls, RouteCache routes, BrokerOffsets offsets) {
    this.calls = calls;
    this.routes = routes;
    this.offsets = offsets;
  }

  /** Where the group stands then, by queue. */
  Future<Map<TopicQueue, Long>> to(String group, String topic, Position position) {
    return routes.fetch(topic).compose(found -> routes.orFail(found, () -> TopicAdmin.unknown(topic)))
        .compose(route -> position instanceof Position.Offsets offsets ? each(group, route, offsets)
            : calls.masters(Optional.empty(), Optional.empty())
                .map(masters -> AdminCalls.some(masters.stream().filter(node -> route.brokers().containsKey(node.name())).toList(),
                    "no broker of topic '" + topic + "' has a master now"))
                .compose(masters -> AdminCalls.inOrder(masters, node -> broker(node, group, route, position))))
        .map(GroupReset::joined);
  }

  /** Brokers have a time for all queues, or an offset for one: here it is one after the other, when every offset is known to be possible. */
  private Future<List<Map<TopicQueue, Long>>> each(String group, Route route, Position.Offsets wanted) {
    for (TopicQueue queue : wanted.byQueue().keySet()) {
      if (!route.readable().contains(queue)) {
        return Future.failedFuture(TopicAdmin.noQueue(queue, route.topic()));
      }
    }
    return AdminCalls.forEach(route.readable(), queue -> offsets.of(queue, wanted)
            .compose(offset -> checked(queue, route, offset).map(inside -> Map.entry(queue, offset))))
        .compose(targets -> AdminCalls.inOrder(targets, target -> move(group, target.getKey(), target.getValue())));
  }

  /** Where the group stands then. */
  Future<Map<TopicQueue, Long>> to(String group, TopicQueue queue, long queueOffset) {
    return routes.fetch(queue.topic())
        .compose(found -> routes.orFail(found, () -> TopicAdmin.unknown(queue.topic())))
        .compose(route -> checked(queue, route, queueOffset))
        .compose(inside -> move(group, queue, queueOffset));
  }

  private Future<Map<TopicQueue, Long>> move(String group, TopicQueue queue, long queueOffset) {
    return calls.masters(Optional.empty(), Optional.of(queue.broker())).compose(masters -> {
      RemotingCommand request = request(group, queue.topic(), 0).ext("queueId", queue.queueId()).ext("offset", queueOffset);
      return answered(masters.get(0), group, queue.topic(), request,
          () -> List.of(queue), asked -> Future.succeededFuture(queueOffset));
    });
  }

  private Future<Void> checked(TopicQueue queue, Route route, long queueOffset) {
    if (!route.readable().contains(queue)) {
      return Future.failedFuture(TopicAdmin.noQueue(queue, queue.topic()));
    }
    return offsets.of(queue, Position.EARLIEST).compose(min -> offsets.of(queue, Position.LATEST).map(max -> {
      if (queueOffset < min || queueOffset > max) {
        throw TopicAdmin.outside(queue, queueOffset, min, max);
      }
      return null;
    }));
  }

  private Future<Map<TopicQueue, Long>> broker(Node node, String group, Route route, Position position) {
    String topic = route.topic();
    return answered(node, group, topic, request(group, topic, timestamp(position)),
        () -> route.readable().stream().filter(queue -> queue.broker().equals(node.name())).toList(),
        queue -> offsets.of(queue, position));
  }

  /** Finds the offset of a queue. */
  private interface Target {
    Future<Long> of(TopicQueue queue);
  }

  /** Names the queues to move. */
  private interface Queues {
    List<TopicQueue> list();
  }

  private Future<Map<TopicQueue, Long>> answered(
      Node node, String group, String topic, RemotingCommand request, Queues queues, Target target) {
    String what = "reset group '" + group + "' in topic '" + topic + "'";
    return calls.find(node, what, request, ResultCode.CONSUMER_NOT_ONLINE).compose(done -> {
      if (done.isEmpty()) {
        return oneByOne(group, queues.list(), target);
      }
      Map<TopicQueue, Long> moved = new TreeMap<>();
      AdminCalls.read(node, done.get(), OffsetsBody::decodeReset)
          .forEach((queueId, offset) -> moved.put(new TopicQueue(topic, node.name(), queueId), offset));
      return Future.succeededFuture(moved);
    });
  }

  private Future<Map<TopicQueue, Long>> oneByOne(String group, List<TopicQueue> queues, Target target) {
    return AdminCalls.inOrder(queues, queue -> target.of(queue)
            .compose(offset -> offsets.store(group, queue, offset).<Map<TopicQueue, Long>>map(stored -> Map.of(queue, offset))))
        .map(GroupReset::joined);
  }

  private static Map<TopicQueue, Long> joined(List<Map<TopicQueue, Long>> parts) {
    Map<TopicQueue, Long> all = new TreeMap<>();
    parts.forEach(all::putAll);
    return all;
  }

  private static RemotingCommand request(String group, String topic, long timestampMs) {
    return RemotingCommand.request(RequestCode.INVOKE_BROKER_TO_RESET_OFFSET)
        .ext("group", group).ext("topic", topic).ext("timestamp", timestampMs).ext("isForce", true);
  }

  private static long timestamp(Position position) {
    if (position instanceof Position.At at) {
      return at.timestampMs();
    }
    return position instanceof Position.Earliest ? 0 : END;
  }
}
