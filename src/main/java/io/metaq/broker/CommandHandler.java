package io.metaq.broker;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import io.vertx.core.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A handler for the requests that are not hot: takes the whole request as a command and answers with a command, at once or later. A
 * failure becomes code 1 with its text; nothing is written for a one-way request.
 */
abstract class CommandHandler implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(CommandHandler.class);

  @Override
  public final void handle(Connection connection, InboundFrame frame) {
    RemotingCommand request = frame.command();
    answer(connection, request).onComplete(
        response -> write(connection, request, response),
        failure -> {
          if (!(failure instanceof HeaderException)) {
            log.warn("request failed code={} remote={}", request.code(), connection.remote(), failure);
          }
          write(connection, request, request.response(ResultCode.SYSTEM_ERROR, String.valueOf(failure.getMessage())));
        });
  }

  /** The answer; its future completes on this loop. */
  abstract Future<RemotingCommand> answer(Connection connection, RemotingCommand request);

  private static void write(Connection connection, RemotingCommand request, RemotingCommand response) {
    if (!request.oneway() && connection.isOpen()) {
      connection.write(response);
    }
  }
}
