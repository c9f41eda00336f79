package io.metaq.client;

import io.metaq.codec.client.QueueLocks;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The locks by which a group's members keep one another from a queue that is read in order (LOCK_BATCH_MQ, UNLOCK_BATCH_MQ). A broker
 * keeps a lock for 60 s after it was asked for last; it is believed here for 30 s and renewed every 10 s.
 */
@OwnedBy("its client's context")
final class QueueLease {
  /** How long a lock is believed in after it was asked for. */
  static final long BELIEVED_NS = 30_000_000_000L;

  private final Links links;
  private final RouteCache routes;
  private final String clientId;
  private final String group;
  private final long timeoutMs;

  QueueLease(ClientParts parts, String group) {
    this.links = parts.links();
    this.routes = parts.routes();
    this.clientId = parts.clientId();
    this.timeoutMs = parts.timeoutMs();
    this.group = group;
  }

  /** Whether the client has the lock of a queue now, got or renewed; fails when its broker cannot be asked. */
  Future<Boolean> acquire(TopicQueue queue) {
    return lock(List.of(queue)).map(held -> held.contains(queue));
  }

  /** Renews the locks of queues, with one request for each broker: a future for each with the queues that were asked for and those held. */
  List<Future<Renewal>> renew(List<TopicQueue> queues) {
    Map<String, List<TopicQueue>> byBroker = new HashMap<>();
    queues.forEach(queue -> byBroker.computeIfAbsent(queue.broker(), broker -> new ArrayList<>()).add(queue));
    return byBroker.values().stream().map(asked -> lock(asked).map(held -> new Renewal(asked, held))).toList();
  }

  /** What one broker said. */
  record Renewal(List<TopicQueue> asked, List<TopicQueue> held) {}

  /** Gives a lock back; completes when the broker has done so, or cannot be told: then the lock ends by itself. */
  Future<Void> release(TopicQueue queue) {
    return call(RequestCode.UNLOCK_BATCH_MQ, List.of(queue)).<Void>mapEmpty().otherwiseEmpty();
  }

  private Future<List<TopicQueue>> lock(List<TopicQueue> queues) {
    return call(RequestCode.LOCK_BATCH_MQ, queues)
        .compose(
            answer -> {
              if (answer.code() != ResultCode.SUCCESS.wire()) {
                return Future.failedFuture(MetaqException.refused(queues.get(0).broker(), answer.code(), answer.remark()));
              }
              Set<QueueRef> held = QueueLocks.decode(answer.body());
              return Future.succeededFuture(queues.stream().filter(queue -> held.contains(ref(queue))).toList());
            });
  }

  private Future<RemotingCommand> call(RequestCode code, List<TopicQueue> queues) {
    TopicQueue first = queues.get(0);
    Route route = routes.ready(first.topic());
    Optional<Address> master = route == null ? Optional.empty() : route.master(first.broker());
    byte[] body = QueueLocks.encode(clientId, group, queues.stream().map(QueueLease::ref).toList());
    return master
        .map(address -> links.call(address, RemotingCommand.request(code).body(body), timeoutMs))
        .orElseGet(
            () -> {
              routes.suspect(first.topic());
              return Future.failedFuture(MetaqException.noMaster(first.broker()));
            });
  }

  static QueueRef ref(TopicQueue queue) {
    return new QueueRef(queue.topic(), queue.broker(), queue.queueId());
  }
}
