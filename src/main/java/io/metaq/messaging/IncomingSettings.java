package io.metaq.messaging;

import io.metaq.client.MetaqException;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/**
 * One incoming channel as it is configured.
 *
 * @param retryDelay of the strategy {@code RETRY}; the broker's own when empty
 */
record IncomingSettings(
    String channel,
    Connection connection,
    Subscription subscription,
    FailureStrategy failureStrategy,
    Optional<Duration> retryDelay,
    HealthSettings health) {

  /**
   * @throws IllegalArgumentException names channel and attribute
   */
  static IncomingSettings of(Attributes attributes) {
    Optional<String> group = attributes.text("group.id");
    FailureStrategy strategy = attributes.choice(
        "failure-strategy", FailureStrategy.class, group.isPresent() ? FailureStrategy.RETRY : FailureStrategy.FAIL);
    if (group.isEmpty() && (strategy == FailureStrategy.RETRY || strategy == FailureStrategy.DEAD_LETTER_QUEUE)) {
      throw new IllegalArgumentException("channel '" + attributes.channel()
          + "': only members of a group can send messages back, so this failure-strategy needs a group.id");
    }
    return new IncomingSettings(
        attributes.channel(),
        Connection.of(attributes),
        subscription(attributes, group),
        strategy,
        attributes.count("retry-delay-ms").map(Duration::ofMillis),
        HealthSettings.of(attributes));
  }

  private static Subscription subscription(Attributes attributes, Optional<String> group) {
    Optional<String> tags = attributes.text("tags");
    Optional<String> sql = attributes.text("sql");
    if (tags.isPresent() && sql.isPresent()) {
      throw new IllegalArgumentException("channel '" + attributes.channel() + "': messages are selected by tags or by sql, not by both");
    }
    try {
      Subscription subscription =
          Subscription.to(attributes.text("topic").orElse(attributes.channel())).from(position(attributes));
      subscription = group.map(subscription::group).orElse(subscription);
      subscription = tags.map(subscription::filter).orElse(subscription);
      subscription = sql.map(subscription::sql).orElse(subscription);
      subscription = attributes.flag("ordered", false) ? subscription.ordered() : subscription;
      subscription = attributes.flag("broadcasting", false) ? subscription.broadcasting() : subscription;
      subscription = attributes.count("max-retries").map(subscription::maxRetries).orElse(subscription);
      subscription = attributes.count("stuck-after-ms").map(Duration::ofMillis).map(subscription::stuckAfter).orElse(subscription);
      subscription = attributes.count("read-ahead").map(subscription::readAhead).orElse(subscription);
      return attributes.count("max-unsettled").map(subscription::maxUnsettled).orElse(subscription);
    } catch (MetaqException faulty) {
      throw new IllegalArgumentException("channel '" + attributes.channel() + "': " + faulty.getMessage(), faulty);
    }
  }

  private static Position position(Attributes attributes) {
    String name = "auto.offset.reset";
    String value = attributes.text(name).orElse("latest");
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "latest" -> Position.LATEST;
      case "earliest" -> Position.EARLIEST;
      default -> {
        try {
          yield Position.at(Instant.parse(value));
        } catch (DateTimeParseException none) {
          throw attributes.faulty(name, "latest, earliest or a time such as 2026-01-31T12:00:00Z", value);
        }
      }
    };
  }
}
