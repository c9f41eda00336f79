package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.client.Position;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class StartTextTest {
  private final StartText converter = new StartText();

  @Test
  void shouldKnowBothEndsInAnyCase() {
    assertThat(converter.convert("earliest")).isEqualTo(Position.EARLIEST);
    assertThat(converter.convert("LATEST")).isEqualTo(Position.LATEST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-01-31T12:00:00Z", "2026-01-31T14:00:00+02:00", "1769860800000"})
  void shouldReadAMomentHoweverItIsWritten(String text) {
    assertThat(converter.convert(text)).isEqualTo(Position.at(Instant.parse("2026-01-31T12:00:00Z")));
  }

  @Test
  void shouldTakeATimeWithoutZoneAsLocal() {
    Instant local = LocalDateTime.of(2026, 1, 31, 12, 30).atZone(ZoneId.systemDefault()).toInstant();

    assertThat(converter.convert("2026-01-31T12:30")).isEqualTo(Position.at(local));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yesterday", "2026-13-01T00:00:00", "-5", "99999999999999999999"})
  void shouldSayWhatATimeLooksLike(String text) {
    assertThatThrownBy(() -> converter.convert(text)).isInstanceOf(TypeConversionException.class).hasMessageContaining("'" + text + "'");
  }
}
