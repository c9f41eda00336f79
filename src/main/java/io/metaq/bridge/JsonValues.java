package io.metaq.bridge;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Values as the bridge's JSON has them. */
final class JsonValues {
  /** Beyond it, a number is not exact in a browser. */
  private static final long LARGEST_EXACT = 1L << 53;

  private static final double THOUSAND = 1_000.0;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  private JsonValues() {}

  /** A number while it is exact in a browser, else its digits as a string. */
  static Object number(long value) {
    return value >= -LARGEST_EXACT && value <= LARGEST_EXACT ? (Object) value : Long.toString(value);
  }

  /** As {@link #number(long)}; null when it is not known. */
  static Object number(OptionalLong value) {
    return value.isPresent() ? number(value.getAsLong()) : null;
  }

  /** To a thousandth; null when it is not known. */
  static Double decimal(OptionalDouble value) {
    return value.isPresent() ? (Double) rounded(value.getAsDouble()) : null;
  }

  /** To a thousandth. */
  static double rounded(double value) {
    return Math.round(value * THOUSAND) / THOUSAND;
  }

  /** As {@link #time(long)}; null when it is not known. */
  static String time(OptionalLong timestampMs) {
    return timestampMs.isPresent() ? time(timestampMs.getAsLong()) : null;
  }

  /** ISO-8601 with ms. */
  static String time(long timestampMs) {
    return TIME.format(Instant.ofEpochMilli(timestampMs));
  }

  /** As {@link #time}; null for 0, which brokers say when there is none. */
  static String timeOrNull(long timestampMs) {
    return timestampMs == 0 ? null : time(timestampMs);
  }
}
