package io.metaq.coordinator.api;

import io.metaq.model.Subscription;
import java.util.List;
import java.util.Map;

/**
 * Who consumes in a group, and how. The three words are those of the last heartbeat.
 *
 * @param subscriptions by topic
 * @param contradictions a line for each side, who wants what, when the members want different things; else none
 */
public record GroupMembers(
    List<ClientInfo> clients,
    String consumeType,
    String messageModel,
    String consumeFromWhere,
    Map<String, Subscription> subscriptions,
    List<String> contradictions) {
  public GroupMembers {
    clients = List.copyOf(clients);
    subscriptions = Map.copyOf(subscriptions);
    contradictions = List.copyOf(contradictions);
  }
}
