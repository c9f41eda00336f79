package io.metaq.broker;

import io.metaq.codec.remoting.ClientBodies;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.coordinator.api.GroupsProxy;
import io.metaq.model.RequestCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;
import java.util.List;

/** Serves the queue locks of orderly consumers: LOCK_BATCH_MQ and UNLOCK_BATCH_MQ (41, 42). */
final class LockHandler extends CommandHandler {
  private final GroupsProxy coordinator;

  LockHandler(GroupsProxy coordinator) {
    this.coordinator = coordinator;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    ClientBodies.LockData body = ClientBodies.locks(request.body());
    List<GroupsProxy.LockedQueue> queues =
        body.queues().stream().map(q -> new GroupsProxy.LockedQueue(q.topic(), q.brokerName(), q.queueId())).toList();
    GroupsProxy.Lock wish = new GroupsProxy.Lock(body.group(), body.clientId(), queues);
    if (request.code() == RequestCode.UNLOCK_BATCH_MQ.wire()) {
      return coordinator.unlock(wish).map(done -> request.success());
    }
    return coordinator.lock(wish).map(held -> request.success().body(ClientBodies.locked(
        held.stream().map(q -> new ClientBodies.QueueRef(q.topic(), q.brokerName(), q.queueId())).toList())));
  }
}
