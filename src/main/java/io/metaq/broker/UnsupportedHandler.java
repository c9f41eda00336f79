package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;

/** Refuses a request code that this broker knows but does not serve, with what it is, so that nothing is taken for stored. */
final class UnsupportedHandler extends CommandHandler {
  private final String what;

  UnsupportedHandler(String what) {
    this.what = what;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(
        request.response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, "this broker does not support " + what + " (request code " + request.code() + ")"));
  }
}
