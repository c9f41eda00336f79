package io.metaq.coordinator.api;

import io.metaq.model.GroupConfig;
import io.metaq.model.Subscription;
import java.util.List;
import java.util.Map;

/**
 * A consumer group at one moment.
 *
 * @param online whether any member is connected
 * @param broadcasting whether its members said BROADCASTING
 * @param subscriptions by topic, empty when nobody is online
 * @param memberIds client ids, sorted
 */
public record GroupSnapshot(
    GroupConfig config, boolean online, boolean broadcasting, Map<String, Subscription> subscriptions, List<String> memberIds) {
  public GroupSnapshot {
    subscriptions = Map.copyOf(subscriptions);
    memberIds = List.copyOf(memberIds);
  }
}
