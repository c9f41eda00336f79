package io.metaq.cli;

import io.metaq.client.Position;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where to begin, as a user types it: {@code earliest}, {@code latest}, a time as ISO-8601 or as ms since 1970. */
final class StartText implements ITypeConverter<Position> {
  @Override
  public Position convert(String text) {
    if (text.equalsIgnoreCase("earliest")) {
      return Position.EARLIEST;
    }
    if (text.equalsIgnoreCase("latest")) {
      return Position.LATEST;
    }
    if (text.matches("\\d{1,18}")) {
      return Position.at(Instant.ofEpochMilli(Long.parseLong(text)));
    }
    try {
      return Position.at(text.matches(".*(Z|[+-]\\d\\d:?\\d\\d)$") ? Instant.parse(text) : localTime(text));
    } catch (DateTimeParseException notATime) {
      throw new TypeConversionException(
          "'" + text + "' is not earliest, latest, a time like 2026-01-31T12:00:00 or 2026-01-31T11:00:00Z, or ms since 1970");
    }
  }

  private static Instant localTime(String text) {
    return LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
  }
}
