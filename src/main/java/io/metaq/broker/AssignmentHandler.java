package io.metaq.broker;

import io.metaq.codec.client.AssignmentBodies;
import io.metaq.codec.client.AssignmentBodies.Queue;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.QueueData;
import io.metaq.codec.registry.TopicRouteCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.RegistrationProxy;
import io.metaq.coordinator.api.RequestMode;
import io.metaq.coordinator.api.RequestModesProxy;
import io.metaq.model.Perm;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Serves QUERY_ASSIGNMENT (400): which queues of a topic, of all brokers, a member of a group is to pull or pop. A broker that
 * cannot say answers without a list, and the client stays with what it has.
 */
final class AssignmentHandler extends CommandHandler {
  private final BrokerOptions options;
  private final PopOptions pops;
  private final LoopTopics topics;
  private final LoopGroups groups;
  private final RequestModesProxy modes;
  private final RegistrationProxy registration;

  AssignmentHandler(
      BrokerOptions options, PopOptions pops, LoopTopics topics, LoopGroups groups, RequestModesProxy modes,
      RegistrationProxy registration) {
    this.options = options;
    this.pops = pops;
    this.topics = topics;
    this.groups = groups;
    this.modes = modes;
    this.registration = registration;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    AssignmentBodies.Query query;
    try {
      query = AssignmentBodies.query(request.body());
    } catch (BodyException unreadable) {
      return Future.succeededFuture(request.response(ResultCode.SYSTEM_ERROR, unreadable.getMessage()));
    }
    return modes.find(query.topic(), query.group()).compose(set -> {
      RequestMode mode = set.orElseGet(() -> byDefault(query.topic()));
      return registration.route(query.topic()).map(route -> {
        List<Queue> queues = queues(query.topic(), route);
        return request.success().body(share(query, mode, queues)
            .map(own -> AssignmentBodies.assignments(query.topic(), mode.word(), own))
            .orElseGet(AssignmentBodies::unknown));
      });
    });
  }

  /** What a group's members sent back is always pulled. */
  private RequestMode byDefault(String topic) {
    return pops.popByDefault() && !Topics.isRetry(topic) ? new RequestMode(true, pops.defaultShare()) : RequestMode.PULL;
  }

  /** All queues that can be read, in order: those of the route, or where no name server knows it the broker's own. */
  private List<Queue> queues(String topic, Optional<byte[]> route) {
    if (route.isEmpty()) {
      return topics.find(topic).filter(TopicEntry::readable).stream()
          .flatMap(own -> queues(options.brokerName(), own.config().readQueues())).sorted().toList();
    }
    Stream<QueueData> readable = TopicRouteCodec.decode(route.get()).queues().stream().filter(queue -> Perm.readable(queue.perm()));
    return readable.flatMap(queue -> queues(queue.brokerName(), queue.readQueues())).sorted().toList();
  }

  private static Stream<Queue> queues(String brokerName, int count) {
    return IntStream.range(0, count).mapToObj(queueId -> new Queue(brokerName, queueId));
  }

  private Optional<List<Queue>> share(AssignmentBodies.Query query, RequestMode mode, List<Queue> queues) {
    if (queues.isEmpty()) {
      return Optional.empty();
    }
    if (query.broadcasting() || !pops.balances()) {
      return Optional.of(queues);
    }
    List<String> members = groups.find(query.group()).map(GroupSnapshot::memberIds).orElse(List.of());
    if (members.isEmpty()) {
      return Optional.empty();
    }
    return mode.pop()
        ? QueueShares.pop(query.strategy(), queues, members, query.clientId(), mode.share())
        : QueueShares.pull(query.strategy(), queues, members, query.clientId());
  }
}
