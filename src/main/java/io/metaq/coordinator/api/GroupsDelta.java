package io.metaq.coordinator.api;

import java.util.List;

/** Consumer groups that changed, told to every loop. {@code complete}: it is the whole table, forget the rest. */
public record GroupsDelta(List<GroupSnapshot> changed, List<String> removed, boolean complete) {
  public GroupsDelta {
    changed = List.copyOf(changed);
    removed = List.copyOf(removed);
  }
}
