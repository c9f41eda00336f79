package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FiltersTest {
  private final Filters filters = new Filters(true);

  @Test
  void shouldCompileAnExpressionOnceWhileItIsUsed() {
    Filters.Verdict first = filters.compile("SQL92", "a = 1");

    assertThat(first.selection()).isPresent();
    assertThat(filters.compile("SQL92", "a = 1")).isSameAs(first);
    assertThat(filters.compile("SQL92", "a = 2")).isNotSameAs(first);
  }

  @Test
  void shouldForgetWhatWasNotUsedForLongest() {
    Filters.Verdict first = filters.compile("SQL92", "a = 1");
    Filters.Verdict second = filters.compile("SQL92", "b = 1");
    for (int i = 2; i < Filters.MAX_KEPT; i++) {
      filters.compile("SQL92", "c = " + i);
    }

    filters.compile("SQL92", "a = 1");
    filters.compile("SQL92", "one too many = ");

    assertThat(filters.compile("SQL92", "a = 1")).isSameAs(first);
    assertThat(filters.compile("SQL92", "b = 1")).isNotSameAs(second);
  }

  @Test
  void shouldKeepSoManyCharactersOnly() {
    String big = "a = '" + "x".repeat(100_000) + "'";
    Filters.Verdict first = filters.compile("SQL92", big);
    Filters.Verdict second = filters.compile("SQL92", big + " ");

    assertThat(filters.compile("SQL92", big)).isSameAs(first);
    filters.compile("SQL92", big + "  ");

    assertThat(filters.compile("SQL92", big + " ")).isNotSameAs(second);
  }

  @Test
  void shouldTellWhyAnExpressionIsNone() {
    assertThat(filters.compile("SQL92", "a =")).satisfies(faulty -> {
      assertThat(faulty.selection()).isEmpty();
      assertThat(faulty.fault()).startsWith("SQL92 filter, character 4: ");
    });
    assertThat(filters.compile("REGEX", "a =").fault()).isEqualTo("filter type 'REGEX' is unknown; there are TAG and SQL92");
  }
}
