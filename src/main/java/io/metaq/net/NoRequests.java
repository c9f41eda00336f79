package io.metaq.net;

import io.metaq.model.ResultCode;

/** The near end of a link on which the far end has nothing to ask: every request is answered as unknown. */
final class NoRequests implements FrameHandler {
  static final NoRequests INSTANCE = new NoRequests();

  private NoRequests() {}

  @Override
  public void opened(Connection connection) {}

  @Override
  public void request(Connection connection, InboundFrame frame) {
    if (!frame.oneway()) {
      connection.write(
          frame.command().response(ResultCode.REQUEST_CODE_NOT_SUPPORTED, " request type " + frame.code() + " not supported"));
    }
  }

  @Override
  public void closed(Connection connection) {}
}
