package io.metaq.bridge;

import io.metaq.client.Position;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them into requests. */
final class Durations {
  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)?");

  private Durations() {}

  /** {@code 15s}, {@code 500ms}, {@code 2m}, {@code 1h}; a bare number is seconds. */
  static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long count = Long.parseLong(matcher.group(1));
    String unit = matcher.group(2) == null ? "s" : matcher.group(2);
    return Optional.of(switch (unit) {
      case "ms" -> Duration.ofMillis(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofSeconds(count);
    });
  }

  /** A moment in ISO-8601 with its zone, {@code 2026-01-31T12:00:00Z}, as far as 64 bits of ms reach. */
  static Optional<Instant> moment(String text) {
    try {
      return Optional.of(Instant.ofEpochMilli(OffsetDateTime.parse(text).toInstant().toEpochMilli()));
    } catch (DateTimeException | ArithmeticException none) {
      return Optional.empty();
    }
  }

  /**
   * Where reading begins: {@code earliest}, {@code latest} or a moment.
   *
   * @param what names the value in the sentence when it is none of these
   */
  static Position position(String what, String text) {
    return switch (text) {
      case "earliest" -> Position.EARLIEST;
      case "latest" -> Position.LATEST;
      default -> moment(text).map(Position::at).orElseThrow(() -> Fault.INVALID.because(
          what + " must be earliest, latest or a time with its zone like 2026-01-31T12:00:00Z"));
    };
  }
}
