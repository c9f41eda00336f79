package io.metaq.broker;

import io.metaq.bus.ReplicaProgress;
import io.metaq.codec.registry.KvTableCodec;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.net.Connection;
import io.metaq.store.StoreView;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Serves GET_BROKER_RUNTIME_INFO (28): a table of what is known about this broker at the moment. */
final class RuntimeInfoHandler extends CommandHandler {
  private final StoreView store;
  private final ReplicaProgress replicas;

  RuntimeInfoHandler(StoreView store, ReplicaProgress replicas) {
    this.store = store;
    this.replicas = replicas;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("commitLogMinOffset", Long.toString(store.firstOffset()));
    table.put("commitLogMaxOffset", Long.toString(store.appendedOffset()));
    // What a slave of ours may ask of this broker's HA port beyond the protocol of Apache RocketMQ.
    table.put("metaqReplication", "1");
    List<String> states = replicas.states();
    for (int i = 0; i < states.size(); i++) {
      table.put("replication." + i, states.get(i));
    }
    return Future.succeededFuture(request.success().body(KvTableCodec.encode(table)));
  }
}
