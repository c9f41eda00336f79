package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.net.Connection;
import io.vertx.core.Future;

/**
 * Answers CLEAN_EXPIRED_CONSUMEQUEUE, CLEAN_UNUSED_TOPIC and DELETE_EXPIRED_COMMITLOG (306, 316, 329): housekeeping deletes what
 * has expired by itself, so there is nothing left to do.
 */
final class ExpiryHandler extends CommandHandler {
  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(request.success().remark("expired files are deleted all the time, nothing is left to do"));
  }
}
