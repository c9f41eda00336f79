package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.vertx.core.Future;

/** Refuses a request code that this broker knows but does not serve, with what it is, so that nothing is taken for stored. */
final class UnsupportedHandler extends CommandHandler {
  private final String what;
  private final ResultCode code;

  UnsupportedHandler(String what) {
    this(what, ResultCode.REQUEST_CODE_NOT_SUPPORTED);
  }

  /** Refuses with the code that RocketMQ's tools expect for it. */
  UnsupportedHandler(String what, ResultCode code) {
    this.what = what;
    this.code = code;
  }

  @Override
  Future<RemotingCommand> answer(Connection connection, RemotingCommand request) {
    return Future.succeededFuture(
        request.response(code, "this broker does not support " + what + " (request code " + request.code() + ")"));
  }
}
