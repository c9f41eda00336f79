package io.metaq.messaging;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;

/** The attributes of one channel, each read by name; a faulty one ends the start with a sentence that names channel and attribute. */
final class Attributes {
  private static final String CHANNEL = "channel-name";

  private final Config config;
  private final String channel;

  Attributes(Config config) {
    this.config = config;
    this.channel = config.getValue(CHANNEL, String.class);
  }

  String channel() {
    return channel;
  }

  /** Empty when it is not set, or set to nothing. */
  Optional<String> text(String name) {
    return config.getOptionalValue(name, String.class).map(String::strip).filter(text -> !text.isEmpty());
  }

  boolean flag(String name, boolean otherwise) {
    return text(name).map(value -> switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw faulty(name, "true or false", value);
    }).orElse(otherwise);
  }

  /** A whole number of at least 1. */
  Optional<Integer> count(String name) {
    return text(name).map(value -> {
      try {
        int number = Integer.parseInt(value);
        if (number >= 1) {
          return number;
        }
      } catch (NumberFormatException none) {
        throw faulty(name, "a whole number", value);
      }
      throw faulty(name, "at least 1", value);
    });
  }

  /** One of an enum's constants, written in small letters with hyphens. */
  <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
    E[] all = type.getEnumConstants();
    return text(name).map(value -> Arrays.stream(all)
        .filter(one -> written(one).equals(value.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> faulty(name, "one of " + String.join(", ", Arrays.stream(all).map(Attributes::written).toList()), value)))
        .orElse(otherwise);
  }

  IllegalArgumentException faulty(String name, String wanted, String value) {
    return new IllegalArgumentException("channel '" + channel + "': " + name + " must be " + wanted + ", not '" + value + "'");
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
