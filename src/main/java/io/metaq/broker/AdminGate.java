package io.metaq.broker;

import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.AddressRanges;
import io.metaq.model.ResultCode;
import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * In front of requests that change things for others: lets them through only from where they may come ({@code adminAllowedFrom}).
 */
final class AdminGate implements RequestHandler {
  private static final Logger log = LoggerFactory.getLogger(AdminGate.class);

  private final AddressRanges allowed;
  private final RequestHandler handler;

  AdminGate(AddressRanges allowed, RequestHandler handler) {
    this.allowed = allowed;
    this.handler = handler;
  }

  @Override
  public void handle(Connection connection, InboundFrame frame) {
    if (allowed.containsHost(connection.remoteBytes())) {
      handler.handle(connection, frame);
      return;
    }
    log.warn("an administrative request was refused code={} remote={}", frame.code(), connection.remote());
    if (!frame.oneway()) {
      RemotingCommand request = frame.command();
      connection.write(request.response(ResultCode.NO_PERMISSION,
          "request " + frame.code() + " is taken only from the addresses of adminAllowedFrom"));
    }
  }
}
