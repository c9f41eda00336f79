package io.metaq.coordinator.api;

import java.util.List;

/** Told to a loop: close these connections, their clients have been silent too long. */
public record CloseConnections(List<Long> connectionIds, String reason) {
  public CloseConnections {
    connectionIds = List.copyOf(connectionIds);
  }
}
