package io.metaq.net;

import io.metaq.codec.remoting.RemotingCommand;

/** Answers every request with its own fields and body. */
class EchoHandler implements FrameHandler {
  @Override
  public void opened(Connection connection) {}

  @Override
  public void request(Connection connection, InboundFrame frame) {
    RemotingCommand request = frame.command();
    RemotingCommand answer = request.success().body(request.body());
    request.ext().forEach(answer::ext);
    connection.write(answer);
  }

  @Override
  public void closed(Connection connection) {}
}
