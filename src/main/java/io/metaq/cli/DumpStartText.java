package io.metaq.cli;

import io.metaq.store.inspect.DumpStart;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where a dump begins, as a user types it: an offset, or a time as ISO-8601. */
final class DumpStartText implements ITypeConverter<DumpStart> {
  @Override
  public DumpStart convert(String text) {
    if (text.matches("\\d{1,18}")) {
      return DumpStart.atOffset(Long.parseLong(text));
    }
    try {
      boolean zoned = text.matches(".*(Z|[+-]\\d\\d:?\\d\\d)$");
      Instant time = zoned ? Instant.parse(text) : LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
      return DumpStart.atTime(time.toEpochMilli());
    } catch (DateTimeParseException | ArithmeticException notATime) {
      throw new TypeConversionException(
          "'" + text + "' is not an offset or a time like 2026-01-31T12:00:00 or 2026-01-31T11:00:00Z");
    }
  }
}
