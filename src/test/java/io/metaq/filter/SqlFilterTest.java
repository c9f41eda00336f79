package io.metaq.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the side-by-side test does not tell: sentences, bounds, and that nothing else is ever thrown. */
class SqlFilterTest {
  private static final int SMALL_STACK_BYTES = 256 * 1024;

  @ParameterizedTest
  @CsvSource(delimiter = '#', quoteCharacter = '"', value = {
    "a = # 4 # found the end of the expression where a property, a text, a number, TRUE, FALSE, NULL or ( belongs",
    "a = 1) # 6 # found ')' where an operator or the end belongs",
    "a == 1 # 4 # found '=' where a property, a text, a number, TRUE, FALSE, NULL or ( belongs",
    "a LIKE 'x%' # 3 # found 'LIKE' where an operator or the end belongs",
    "a + 1 = 2 # 3 # found '+' where an operator or the end belongs",
    "a IN (1) # 7 # found '1' where a text in single quotes belongs",
    "a IS 1 # 6 # found '1' where NULL belongs",
    "a NOT 1 # 7 # found '1' where BETWEEN, IN, CONTAINS, STARTSWITH or ENDSWITH belongs",
    "a = 'x # 5 # the text is not closed; a single quote ends it, two stand for one in it",
    "a = 1 /* x # 7 # the comment is not closed",
    "a = \"x\" # 5 # '\"' is no part of an expression; texts stand in single quotes",
    "a.b = 1 # 2 # '.' is no part of an expression; names of properties have letters A to Z, digits, _ and $",
    "\u00e4 = 1 # 1 # '\u00e4' is no part of an expression; names of properties have letters A to Z, digits, _ and $",
    "a = NULL # 3 # nothing is = NULL; write IS NULL or IS NOT NULL",
    "TRUE <> 'x' # 6 # TRUE and FALSE cannot be compared with a text or a number",
    "a > 'x' # 5 # a text cannot be below or above anything; only properties and numbers can",
    "a > (b = 1) # 5 # a condition cannot be below or above anything; only properties and numbers can",
    "NOT a > 1 # 1 # NOT binds closer than a comparison; put what it negates in brackets",
    "NOT a IN ('x') # 1 # NOT binds closer than IN; write NOT IN",
    "'x' IN ('x') # 1 # only a property can stand in front of IN",
    "a BETWEEN 3 AND 1 # 11 # nothing is between 3 and 1; the lower bound comes first",
    "a = 9223372036854775808 # 5 # '9223372036854775808' is beyond 9223372036854775807",
    "a > 0.0 # 5 # '0.0' is below 4.9E-324; zero is written as 0",
    "a > 1e400 # 5 # '1e400' is beyond 1.7976931348623157E308",
    "a = 1 AND 5 # 11 # what begins here is neither true nor false; a condition is wanted",
    "'   ' # 1 # what begins here is neither true nor false; a condition is wanted"})
  void shouldTellPlaceAndReasonOfAFault(String expression, int position, String reason) {
    assertThatThrownBy(() -> SqlFilter.compile(expression))
        .isInstanceOfSatisfying(FilterException.class, fault -> assertThat(fault.position()).isEqualTo(position))
        .hasMessage("SQL92 filter, character " + position + ": " + reason);
  }

  @Test
  void shouldRefuseAnEmptyExpression() {
    assertThatThrownBy(() -> SqlFilter.compile(" \n")).hasMessage("SQL92 filter, character 1: the expression is empty");
  }

  @Test
  void shouldNumberEachPropertyOnce() {
    SqlFilter filter = SqlFilter.compile("a = 'x' AND (b > 1 OR a IS NULL) AND A = 'y'");

    assertThat(filter.properties()).containsExactly("a", "b", "A");
    assertThat(filter.matches(new String[] {"x", "2", "y"})).isTrue();
    assertThat(filter.matches(new String[] {"x", "1", "y"})).isFalse();
    assertThat(filter.matches(new String[] {null, null, "y"})).isFalse();
  }

  @Test
  void shouldTakeTenThousandTermsWithASmallStack() throws Exception {
    String terms = IntStream.range(0, 10_000).mapToObj(i -> "a=" + i).collect(Collectors.joining(" OR "));

    assertThat(withSmallStack(() -> Ours.matches(terms, Map.of("a", "9999")))).isTrue();
    assertThat(withSmallStack(() -> Ours.matches("NOT (" + terms + ")", Map.of("a", "10000")))).isTrue();
    String inverse = terms.replace("=", "<>").replace("OR", "AND");
    assertThat(withSmallStack(() -> Ours.matches(inverse, Map.of("a", "10000")))).isTrue();
  }

  @Test
  void shouldTakeAListOfTenThousandTexts() {
    String list = IntStream.range(0, 10_000).mapToObj(i -> "'" + i + "'").collect(Collectors.joining(",", "(", ")"));

    assertThat(Ours.matches("a IN " + list, Map.of("a", "9999"))).isTrue();
    assertThat(Ours.matches("a NOT IN " + list, Map.of("a", "9999"))).isFalse();
  }

  @Test
  void shouldTakeTheDeepestNestingWithASmallStackAndRefuseADeeperOne() throws Exception {
    int deepest = FilterParser.MAX_NESTING;

    assertThat(withSmallStack(() -> Ours.matches(nested("(", deepest, ")"), Map.of("a", "1")))).isTrue();
    String mixed = nested("b = 2 OR (c = 3 AND (", deepest / 2, "))");
    assertThat(withSmallStack(() -> Ours.matches(mixed, Map.of("a", "1")))).isFalse();
    assertThatThrownBy(() -> SqlFilter.compile(nested("(", deepest + 1, ")"))).isInstanceOf(FilterException.class)
        .hasMessage("SQL92 filter, character 101: brackets and signs are nested more than 100 deep");
    assertThatThrownBy(() -> SqlFilter.compile("NOT ".repeat(deepest + 1) + "a")).isInstanceOf(FilterException.class);
    assertThatThrownBy(() -> SqlFilter.compile("(".repeat(SqlFilter.MAX_LENGTH))).isInstanceOf(FilterException.class);
    assertThatThrownBy(() -> SqlFilter.compile("- ".repeat(SqlFilter.MAX_LENGTH / 2))).isInstanceOf(FilterException.class);
  }

  @Test
  void shouldTakeTheLongestChainWithASmallStackAndRefuseALongerOne() throws Exception {
    int longest = FilterParser.MAX_CHAINED;

    assertThat(withSmallStack(() -> Ours.matches("a IS NULL" + " IS NOT NULL".repeat(longest), Map.of()))).isTrue();
    assertThatThrownBy(() -> SqlFilter.compile("a IS NULL" + " IS NOT NULL".repeat(longest + 1))).isInstanceOf(FilterException.class)
        .hasMessageEndingWith("more than 200 comparisons are chained without AND or OR");
    assertThatThrownBy(() -> SqlFilter.compile("a" + " NOT CONTAINS 'x'".repeat(longest + 2))).isInstanceOf(FilterException.class);
  }

  @Test
  void shouldRefuseWhatIsTooLong() {
    String longest = "a = '" + "x".repeat(SqlFilter.MAX_LENGTH - 6) + "'";

    assertThat(Ours.matches(longest, Map.of("a", "x"))).isFalse();
    assertThatThrownBy(() -> SqlFilter.compile(longest + " ")).isInstanceOf(FilterException.class)
        .hasMessage("SQL92 filter, character 131073: the expression has 131073 characters, more than the 131072 that are taken");
  }

  @Test
  void shouldThrowNothingButFilterExceptions() {
    RandomExpressions random = new RandomExpressions(new Random(1));
    int taken = 0;

    for (int i = 0; i < 50_000; i++) {
      taken += Ours.verdict(random.soup(), random.properties()).equals(Reference.REFUSED) ? 0 : 1;
    }

    assertThat(taken).isBetween(100, 49_900);
  }

  private static String nested(String open, int times, String close) {
    return open.repeat(times) + "a = 1" + close.repeat(times);
  }

  private interface Check {
    boolean run();
  }

  /** Event loops have more; what fits here fits there. */
  private static boolean withSmallStack(Check check) throws Exception {
    CompletableFuture<Boolean> outcome = new CompletableFuture<>();
    Thread thread = new Thread(null, () -> {
      try {
        outcome.complete(check.run());
      } catch (RuntimeException | StackOverflowError failure) {
        outcome.completeExceptionally(failure);
      }
    }, "small stack", SMALL_STACK_BYTES);
    thread.start();
    return outcome.get(60, TimeUnit.SECONDS);
  }
}
