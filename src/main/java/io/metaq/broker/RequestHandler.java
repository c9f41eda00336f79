package io.metaq.broker;

import io.metaq.net.Connection;
import io.metaq.net.InboundFrame;

/** Serves one kind of request on an event loop. */
interface RequestHandler {
  /**
   * Answers the request now or later; never blocks. {@code frame} is valid only during the call.
   *
   * @throws io.metaq.codec.remoting.HeaderException when the header lacks something; answered with code 1 by the caller
   */
  void handle(Connection connection, InboundFrame frame);
}
