package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterKindTest {
  @ParameterizedTest
  @ValueSource(strings = {"a = 1", "a=1", "a <> 'x'", "a > 1 AND b IS NULL", "a is null ", "a IN ('x')", "a not\nbetween 1 and 2", "a contains 'x'",
      "a ENDSWITH 'x'", "a ="})
  void shouldTakeWhatComparesForSql(String expression) {
    assertThat(FilterKind.of(expression)).isEqualTo(FilterKind.sql);
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "", "paid", "paid || shipped", "is || in", "made-in-eu", "between", "TRUE"})
  void shouldTakeTheRestForTags(String expression) {
    assertThat(FilterKind.of(expression)).isEqualTo(FilterKind.tag);
  }
}
