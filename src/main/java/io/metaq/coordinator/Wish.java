package io.metaq.coordinator;

import io.metaq.coordinator.api.Heartbeat;
import io.metaq.model.Subscription;
import io.metaq.model.Topics;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a member of a group wants, in a form in which two of them can be compared: members of one group must want the same, for each
 * reads a part of the queues for all. The group's retry topic does not count, members have it or not by their kind.
 *
 * @param filters by topic, in words
 */
record Wish(String consumeType, String messageModel, Map<String, String> filters) {
  /** Of a member that has not said yet. */
  static final Wish UNKNOWN = new Wish("", "", Map.of());

  private static final String BROADCASTING = "BROADCASTING";

  static Wish of(Heartbeat.Consumer consumer) {
    return of(consumer, consumer.subscriptions());
  }

  /** With the subscriptions that count for the member. */
  static Wish of(Heartbeat.Consumer consumer, Collection<Subscription> subscriptions) {
    return of(consumer.consumeType(), consumer.messageModel(), subscriptions);
  }

  static Wish of(String consumeType, String messageModel, Collection<Subscription> subscriptions) {
    Map<String, String> filters = new TreeMap<>();
    for (Subscription subscription : subscriptions) {
      if (!Topics.isRetry(subscription.topic())) {
        filters.put(subscription.topic(), words(subscription));
      }
    }
    return new Wish(consumeType, messageModel, filters);
  }

  private static String words(Subscription subscription) {
    if (!subscription.isTag()) {
      return subscription.type() + " " + subscription.expression();
    }
    return subscription.tags().isEmpty() ? Subscription.ALL : String.join(" || ", new TreeSet<>(subscription.tags()));
  }

  boolean known() {
    return this != UNKNOWN;
  }

  boolean broadcasts() {
    return broadcasts(messageModel);
  }

  static boolean broadcasts(String messageModel) {
    return BROADCASTING.equals(messageModel);
  }

  /** Whether both are known and differ. */
  boolean contradicts(Wish other) {
    return known() && other.known() && !equals(other);
  }

  /** For people. */
  @Override
  public String toString() {
    return consumeType + " " + messageModel + " "
        + filters.entrySet().stream().map(filter -> filter.getKey() + "[" + filter.getValue() + "]").collect(Collectors.joining(" "));
  }
}
