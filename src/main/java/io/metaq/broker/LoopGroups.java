package io.metaq.broker;

import io.metaq.coordinator.api.GroupSnapshot;
import io.metaq.coordinator.api.GroupsDelta;
import io.metaq.model.OwnedBy;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One loop's copy of the consumer groups, kept true by deltas. */
@OwnedBy("its event loop")
final class LoopGroups {
  private final Map<String, GroupSnapshot> byName = new HashMap<>();

  void apply(GroupsDelta delta) {
    if (delta.complete()) {
      byName.clear();
    }
    delta.removed().forEach(byName::remove);
    delta.changed().forEach(group -> byName.put(group.config().name(), group));
  }

  Optional<GroupSnapshot> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  Collection<GroupSnapshot> all() {
    return byName.values();
  }
}
