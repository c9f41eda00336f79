package io.metaq.broker;

import io.metaq.model.OwnedBy;
import io.metaq.net.Connection;
import java.util.HashSet;
import java.util.Set;

/** Connections that are not read while too much of what they bring is under way; whoever counts that says when. */
@OwnedBy("its event loop")
final class PausedReaders {
  private final Set<Connection> paused = new HashSet<>();

  /** Stops reading this one, until {@link #resume}. */
  void pause(Connection connection) {
    if (paused.add(connection)) {
      connection.pauseReading();
    }
  }

  /** Reads all of them again. */
  void resume() {
    if (!paused.isEmpty()) {
      paused.forEach(Connection::resumeReading);
      paused.clear();
    }
  }

  void gone(Connection connection) {
    paused.remove(connection);
  }
}
