package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;

/** Refuses what only a master does, and says where the master is. */
final class SlaveRefusal extends CommandHandler {
  private final ResultCode code;
  private final String what;
  private final BrokerOptions options;
  private final MasterSight master;

  /**
   * @param what the refused action, as in "takes no messages"
   */
  SlaveRefusal(ResultCode code, String what, BrokerOptions options, MasterSight master) {
    this.code = code;
    this.what = what;
    this.options = options;
    this.master = master;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(request.response(
        code, "broker " + options.brokerName() + " with id " + options.brokerId() + " is a slave and " + what + "; " + master.words()));
  }
}
