package io.metaq.coordinator;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The connections of each producer group at one moment. */
record LiveProducers(Map<String, List<ClientConnection>> byGroup) {
  /** Where GroupCoordinatorVerticle answers with one. */
  static final String ADDRESS = "metaq.groups.producers";

  /** One member of a group: the next with each {@code turn}; empty when nobody is there. */
  Optional<ClientConnection> pick(String group, int turn) {
    List<ClientConnection> members = byGroup.getOrDefault(group, List.of());
    return members.isEmpty() ? Optional.empty() : Optional.of(members.get(Math.floorMod(turn, members.size())));
  }
}
