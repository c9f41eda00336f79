package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import io.metaq.net.FrameHandler;
import io.metaq.net.InboundFrame;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The open connections of one loop, by number, and the way of their requests to the handlers. */
@OwnedBy("its event loop")
final class LoopConnections implements FrameHandler {
  private final RequestRouter router;
  private final Consumer<Connection> onClosed;
  private final Map<Long, Connection> byId = new HashMap<>();

  LoopConnections(RequestRouter router, Consumer<Connection> onClosed) {
    this.router = router;
    this.onClosed = onClosed;
  }

  Optional<Connection> find(long id) {
    return Optional.ofNullable(byId.get(id));
  }

  @Override
  public void opened(Connection connection) {
    byId.put(connection.id(), connection);
  }

  @Override
  public void request(Connection connection, InboundFrame frame) {
    router.route(connection, frame);
  }

  @Override
  public void closed(Connection connection) {
    byId.remove(connection.id());
    onClosed.accept(connection);
  }
}
