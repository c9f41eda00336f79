package io.metaq.net;

/** A room behind a {@link RemotingServer}. All calls come on the connection's event loop. */
public interface FrameHandler {
  /** A peer connected. */
  void opened(Connection connection);

  /** One whole request frame arrived. {@code frame} is valid only during the call. */
  void request(Connection connection, InboundFrame frame);

  /** The connection ended, for whatever reason; called once. */
  void closed(Connection connection);
}
