package io.metaq.bridge;

import io.metaq.client.Position;
import io.metaq.client.TopicQueue;
import io.metaq.model.Topics;
import java.time.Duration;
import java.util.Optional;

/** What is asked for by a path and its query, with their values checked as they are looked at. */
abstract class Asked {
  /** A variable of the path, decoded. */
  abstract String path(String name);

  /** A parameter of the query, decoded; the first when it is given more than once. */
  abstract Optional<String> query(String name);

  /** The topic in the path. */
  final String topic() {
    return checked(path("topic"), Topics.topicFault(path("topic")));
  }

  /** The group in the path. */
  final String group() {
    return checked(path("group"), Topics.groupFault(path("group")));
  }

  /** The queue in the path. */
  final TopicQueue queue() {
    String number = path("queue");
    if (!number.matches("[0-9]{1,9}")) {
      throw Fault.INVALID.because("the queue in the path must be a number from 0 on");
    }
    return new TopicQueue(topic(), path("broker"), Integer.parseInt(number));
  }

  static String checked(String name, String fault) {
    if (fault != null) {
      throw Fault.INVALID.because(fault);
    }
    return name;
  }

  final String requiredQuery(String name) {
    return query(name).filter(value -> !value.isEmpty())
        .orElseThrow(() -> Fault.INVALID.because("the query parameter '" + name + "' is missing"));
  }

  final long number(String name, long otherwise, long min, long max) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    long value = JsonReader.wholeNumber("the query parameter '" + name + "'", text.get());
    if (value < min || value > max) {
      throw Fault.INVALID.because("the query parameter '" + name + "' must be between " + min + " and " + max);
    }
    return value;
  }

  /** {@code true} or {@code false}. */
  final boolean flag(String name, boolean otherwise) {
    return switch (query(name).orElse(Boolean.toString(otherwise))) {
      case "true" -> true;
      case "false" -> false;
      default -> throw Fault.INVALID.because("the query parameter '" + name + "' must be true or false");
    };
  }

  /** A time span up to a limit; none when it is not given. */
  final Duration span(String name, long maxMs) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    return text.flatMap(Durations::duration).filter(span -> span.toMillis() <= maxMs).orElseThrow(() -> Fault.INVALID.because(
        "the query parameter '" + name + "' must be a time like 15s or 500ms, at most " + maxMs / 1_000 + "s"));
  }

  final Position from() {
    return Durations.position("the query parameter 'from'", query("from").orElse("latest"));
  }
}
