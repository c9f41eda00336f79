package io.metaq.broker;

import io.metaq.bus.ReplicaPeer;
import io.metaq.bus.ReplicaProgress;
import io.metaq.codec.admin.HaStatusBody;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.List;

/** Serves GET_BROKER_HA_STATUS (907): how a master's slaves are, or how a slave stands with its master. */
final class HaStatusHandler extends CommandHandler {
  private final BrokerOptions options;
  private final ReplicaProgress replicas;
  private final StoreView store;

  HaStatusHandler(BrokerOptions options, ReplicaProgress replicas, StoreView store) {
    this.options = options;
    this.replicas = replicas;
    this.store = store;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(request.success().body((options.slave() ? ofSlave() : ofMaster()).encode()));
  }

  private HaStatusBody ofMaster() {
    long end = store.appendedOffset();
    return new HaStatusBody(true, end, replicas.peers().stream()
        .filter(slave -> slave.acknowledged() >= 0)
        .map(slave -> new HaStatusBody.Slave(
            slave.address(), slave.acknowledged(), slave.sent(), inSync(slave, end), slave.bytesPerSecond(), slave.heardAtMs()))
        .toList(), HaStatusBody.Master.NONE);
  }

  private boolean inSync(ReplicaPeer slave, long end) {
    return slave.following() && end - slave.acknowledged() <= options.replicas().mostBehindBytes();
  }

  private HaStatusBody ofSlave() {
    HaStatusBody.Master master = replicas.peers().stream().findFirst()
        .map(peer -> new HaStatusBody.Master(peer.address(), peer.following(), Math.max(0, peer.sent()), peer.bytesPerSecond(),
            peer.heardAtMs()))
        .orElse(HaStatusBody.Master.NONE);
    return new HaStatusBody(false, store.appendedOffset(), List.of(), master);
  }
}
