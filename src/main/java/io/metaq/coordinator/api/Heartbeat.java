package io.metaq.coordinator.api;

import io.metaq.model.Subscription;
import java.util.List;

/**
 * A client's heartbeat as it reached a loop.
 *
 * @param loop number of the loop that has the connection
 * @param connectionId its number there
 * @param remote address text for people
 * @param fingerprint 0 when the client does not use heartbeat V2
 * @param withoutSubscriptions V2: only refresh the members
 */
public record Heartbeat(
    int loop,
    long connectionId,
    String remote,
    String clientId,
    String language,
    int version,
    int fingerprint,
    boolean withoutSubscriptions,
    List<String> producerGroups,
    List<Consumer> consumers) {
  public Heartbeat {
    producerGroups = List.copyOf(producerGroups);
    consumers = List.copyOf(consumers);
  }

  /** One consumer group of the client. */
  public record Consumer(
      String group,
      String consumeType,
      String messageModel,
      String consumeFromWhere,
      boolean unitMode,
      List<Subscription> subscriptions) {
    public Consumer {
      subscriptions = List.copyOf(subscriptions);
    }
  }
}
