package io.metaq.launcher;

import io.metaq.model.AddressRanges;
import io.metaq.model.DelayLevels;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Forms a configuration value may have. */
enum ValueType {
  TEXT("text"),
  PATH("a path"),
  INT("a whole number"),
  LONG("a whole number"),
  BOOLEAN("true or false"),
  CHOICE("one of a list"),
  PORT("a port from 0 to 65535"),
  ADDRESSES("host:port, several joined by ;"),
  ADDRESS_RANGES("IP addresses or ranges like 10.1.0.0/16, joined by ,"),
  DELAY_LEVELS("delays like \"1s 5s 10m 2h 1d\"");

  private static final Pattern ADDRESS = Pattern.compile("(?:\\[[0-9a-fA-F:.]+]|[^:;\\s\\[\\]]+):(\\d{1,5})");
  private static final int MAX_PORT = 65535;

  private final String words;

  ValueType(String words) {
    this.words = words;
  }

  static ValueType of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace(' ', '_'));
  }

  /** As the data file and the documentation write it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** What a value of {@code key} must be, when {@code value} is not that; for a sentence "... must be ...". */
  Optional<String> fault(ConfigKey key, String value) {
    return switch (this) {
      case TEXT -> Optional.empty();
      case PATH -> unless(!value.isEmpty() && value.indexOf('\0') < 0, words);
      case INT -> numberFault(key, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case LONG -> numberFault(key, value, Long.MIN_VALUE, Long.MAX_VALUE);
      case BOOLEAN -> unless(value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false"), words);
      case CHOICE -> unless(key.values().contains(value), String.join(" or ", key.values()));
      case PORT -> unless(number(value).filter(port -> port >= 0 && port <= MAX_PORT).isPresent(), words);
      case ADDRESSES -> unless(addresses(value), words);
      case ADDRESS_RANGES -> unless(parses(value, AddressRanges::parse), words);
      case DELAY_LEVELS -> unless(parses(value, DelayLevels::parse), words);
    };
  }

  private static Optional<String> unless(boolean good, String wanted) {
    return good ? Optional.empty() : Optional.of(wanted);
  }

  private static Optional<String> numberFault(ConfigKey key, String value, long least, long most) {
    long min = Math.max(least, key.min());
    long max = Math.min(most, key.max());
    boolean good = number(value).filter(number -> number >= min && number <= max).isPresent();
    if (good) {
      return Optional.empty();
    }
    if (min == max) {
      return Optional.of(Long.toString(min));
    }
    return Optional.of("a whole number from " + min + " to " + max);
  }

  private static Optional<Long> number(String value) {
    try {
      return Optional.of(Long.parseLong(value));
    } catch (NumberFormatException notANumber) {
      return Optional.empty();
    }
  }

  private static boolean parses(String value, Consumer<String> parser) {
    try {
      parser.accept(value);
      return true;
    } catch (IllegalArgumentException fault) {
      return false;
    }
  }

  private static boolean addresses(String value) {
    if (value.isEmpty()) {
      return true;
    }
    for (String address : value.split(";")) {
      var match = ADDRESS.matcher(address.trim());
      if (!match.matches() || number(match.group(1)).filter(port -> port >= 1 && port <= MAX_PORT).isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
