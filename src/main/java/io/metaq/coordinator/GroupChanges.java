package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.LinkedHashSet;
import java.util.Set;

/** What one event did to the groups: collected first, told to the loops afterwards. */
@OwnedBy("GroupCoordinatorVerticle")
final class GroupChanges {
  private final Set<String> visible = new LinkedHashSet<>();
  private final Set<String> membership = new LinkedHashSet<>();
  private final Set<ClientConnection> silent = new LinkedHashSet<>();

  /** The group looks different to the loops. */
  void visible(String group) {
    visible.add(group);
  }

  /** Members came or went, or the topics of the group changed. */
  void membership(String group) {
    visible.add(group);
    membership.add(group);
  }

  /** The client of this connection has been silent too long. */
  void silent(ClientConnection connection) {
    silent.add(connection);
  }

  Set<String> visible() {
    return visible;
  }

  Set<String> membership() {
    return membership;
  }

  Set<ClientConnection> silent() {
    return silent;
  }
}
