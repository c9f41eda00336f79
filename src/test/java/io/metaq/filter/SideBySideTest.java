package io.metaq.filter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Our filter beside the one of Apache RocketMQ 5.5.0: what it takes and selects, and the few places where we differ on purpose. */
class SideBySideTest {
  private static final int EXPRESSIONS = 20_000;
  private static final long SEED = 20_260_101;

  @ParameterizedTest
  @CsvSource(delimiter = '#', quoteCharacter = '"', value = {
    "a = 1 # a=1", "a = 1 # a=01", "a = 1 # a=+1", "a = 1 # a=1.0", "a = 1 # a=x", "a = 1 #", "a <> 1 # a=x", "a <> 1 #",
    "a = 1.0 # a=1", "a = 1. # a=1d", "a = .5 # a=0.5", "a = 1e3 # a=1000", "a = 1E+3 # a=1000", "a > 10.0 # a=NaN",
    "a < 10.0 # a=NaN", "a > 10 # a=99999999999", "a > 10l # a=99999999999", "a > 10.0 # a=99999999999",
    "a > 5000000000 # a=6000000000", "a = 2147483648 # a=2147483648", "a = -2147483648 # a=-2147483648",
    "a = 9223372036854775808 # a=1", "a = -9223372036854775808 # a=1", "a = 0.0 # a=0", "a = 1e400 # a=1", "a = 1e-400 # a=1",
    "1 < a # a=2", "1 = a # a=1", "'x' = a # a=x", "'x' < a # a=y", "TRUE = a # a=true", "NOT (TRUE = a) # a=true",
    "a = TRUE # a=TRUE", "a = TRUE # a=yes", "a <> TRUE # a=yes", "a <> TRUE #", "a = NULL # a=x", "NULL = a # a=x",
    "a IS NULL #", "a IS NOT NULL #", "a IS NULL # a=x", "NULL IS NULL #", "1 IS NULL #", "a = b # a=1,b=1.0",
    "a = b # a=x,b=x", "a < b # a=9,b=10", "a < b # a=x,b=10", "a < b # a=1", "a #", "a # a=true", "NOT a # a=x", "NOT a #",
    "TRUE #", "FALSE #", "NULL #", "1 #", "'x' #", "1 = 1.0 #", "1 = 'x' #", "'1' = 1 #", "TRUE = 1 #", "1 = TRUE #",
    "TRUE < FALSE #", "a < 'b' # a=a", "a BETWEEN 1 AND 3 # a=3", "a BETWEEN 3 AND 1 # a=2", "a BETWEEN 1 AND 2.5 # a=2",
    "a BETWEEN b AND c # a=2,b=1,c=3", "a NOT BETWEEN 1 AND 3 # a=4", "a NOT BETWEEN 1 AND 3 #", "a BETWEEN 3 AND -1 # a=2",
    "a NOT BETWEEN 3 AND 1 # a=2", "a BETWEEN NULL AND 3 # a=2", "1 BETWEEN a AND b # a=0,b=3", "a IN ('x','y') # a=y",
    "a NOT IN ('x','y') # a=z", "a NOT IN ('x','y') #", "a IN () # a=x", "a IN (1,2) # a=1", "'x' IN ('x') #",
    "NOT a IN ('x') # a=z", "a CONTAINS 'b' # a=abc", "a CONTAINS '' # a=abc", "a NOT CONTAINS '' # a=abc",
    "a NOT CONTAINS 'b' #", "a NOT CONTAINS 'z' # a=abc", "a STARTSWITH 'a' # a=abc", "a NOT STARTSWITH 'a' #",
    "a ENDSWITH 'c' # a=abc", "a CONTAINS b # a=abc,b=b", "NOT (a CONTAINS 'b') #", "'abc' CONTAINS 'b' #", "1 CONTAINS '1' #",
    "a CONTAINS 'x' CONTAINS 'y' # a=x", "a CONTAINS 'x' = TRUE # a=x", "a > 1 OR b = 'x' # a=y,b=x",
    "b = 'x' OR a > 1 # a=y,b=x", "a > 1 AND b = 'y' # a=y,b=x", "b = 'y' AND a > 1 # a=y,b=x", "NOT (a > 1) # a=y",
    "NOT a = 1 # a=1", "NOT NOT a = 1 # a=1", "NOT a > 1 # a=2", "(a = 1) = TRUE # a=1", "(a = 1) = 'x' # a=1",
    "(a = 1) = 1 # a=1", "b = (a = 1) # a=1,b=true", "a = b = c # a=x,b=x,c=true", "a > 1 > 2 # a=2", "a = 1 > 2 # a=1",
    "-a = 1 # a=-1", "-a < 1 # a=1", "+a = 1 # a=1", "-'x' = 'x' #", "a = 'it''s' # a=it's", "a = '' # a=x", "a = 'x # a=x",
    "a = \"\"x\"\" # a=x", "a='x'and b='y' # a=x,b=y", "a = 1AND b = 2 # a=1,b=2",
    "a = 1 /* c */ and /* d **/ b = 2 # a=1,b=2", "a = 1 /* open # a=1", "a != 1 # a=2", "a == 1 # a=1", "a => 1 # a=1",
    "a.b = 1 # a.b=1", "a$b = 1 # a$b=1", "_a = 1 # _a=1", "TAGS = 'x' # TAGS=x", "tags = 'x' # TAGS=x", "and = 1 # and=1",
    "a Between 1 aNd 2 # a=1", "a contains 'x' # a=x", "NULL OR a = 1 # a=1", "1 AND a = 1 # a=1", "a and # a=1",
    "(a = 1 # a=1", "a IS 1 # a=1", "a BETWEEN 1 OR 2 # a=1", "a IN ('x',) # a=x", "a NOT 1 # a=1"})
  void shouldTakeAndSelectWhatTheReferenceDoes(String expression, String properties) {
    Map<String, String> message = message(properties);

    assertThat(Ours.verdict(expression, message)).isEqualTo(Reference.verdict(expression, message));
  }

  @Test
  void shouldAgreeOnRandomExpressions() {
    RandomExpressions random = new RandomExpressions(new Random(SEED));
    Map<String, Integer> verdicts = new TreeMap<>();

    for (int i = 0; i < EXPRESSIONS; i++) {
      String expression = random.wellFormed();
      Map<String, String> message = random.properties();
      String verdict = Ours.verdict(expression, message);
      verdicts.merge(verdict, 1, Integer::sum);
      assertThat(verdict).as("%s on %s", expression, message).isEqualTo(Reference.verdict(expression, message));
    }

    assertThat(verdicts).hasSize(3).allSatisfy((verdict, count) -> assertThat(count).as(verdict).isGreaterThan(EXPRESSIONS / 20));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '#', quoteCharacter = '"', value = {
    "a = 1) # a=1", "a = 1 b = 2 # a=1", "a = 1 + 1 # a=1", "a LIKE 'x%' # a=xy", "a = 1.5.5 # a=1.5", "a = 12abc # a=12",
    "a-b = 1 # a=1"})
  void shouldRefuseWhatFollowsACompleteExpressionWhereTheReferencePassesOverIt(String expression, String properties) {
    Map<String, String> message = message(properties);

    assertThat(Reference.verdict(expression, message)).isNotEqualTo(Reference.REFUSED);
    assertThat(Ours.verdict(expression, message)).isEqualTo(Reference.REFUSED);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '#', quoteCharacter = '"', value = {"a <> b # a=x", "a = b #", "NOT (a = b) # a=x", "a <> - NULL # a=x"})
  void shouldCallAComparisonWithNothingUnknownOnBothSides(String expression, String properties) {
    Map<String, String> message = message(properties);

    assertThat(Reference.verdict(expression, message)).isEqualTo("true");
    assertThat(Ours.verdict(expression, message)).isEqualTo("false");
  }

  @Test
  void shouldReadLeadingZerosAsPartOfTheNumber() {
    assertThat(Reference.verdict("a = 007", Map.of("a", "7"))).isEqualTo("false");
    assertThat(Ours.verdict("a = 007", Map.of("a", "7"))).isEqualTo("true");
  }

  private static Map<String, String> message(String properties) {
    Map<String, String> message = new TreeMap<>();
    if (properties != null) {
      for (String property : properties.split(",")) {
        message.put(property.substring(0, property.indexOf('=')), property.substring(property.indexOf('=') + 1));
      }
    }
    return message;
  }
}
