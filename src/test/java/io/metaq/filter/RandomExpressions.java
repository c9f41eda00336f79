package io.metaq.filter;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Expressions by the grammar, whether their types make sense or not, and properties for them. */
final class RandomExpressions {
  private static final List<String> NUMBERS = List.of("0", "1", "2", "7l", "2147483648", "1.5", ".5", "1e3", "5.");
  private static final List<String> TEXTS = List.of("'1'", "'x'", "'true'", "'2.5'", "'abc'", "'it''s'", "''", "'b'");
  private static final List<String> VALUES =
      List.of("1", "2", "2.5", "x", "true", "", "9999999999", "NaN", " 1", "abc", "it's", "-1");
  private static final List<String> SOUP = List.of(
      "a", "b", "p", "1", "2.5", "'x'", "'", "(", ")", "=", "<>", "<", ">=", "NOT", "AND", "OR", "BETWEEN", "IN", ",", "IS", "NULL", "TRUE",
      "CONTAINS", "ENDSWITH", "-", "+", "--", "/*", "*/", ".", "l", "e", "\n", "\u00e4", "\ud83d\ude00", "\"");

  private final RandomGenerator random;

  RandomExpressions(RandomGenerator random) {
    this.random = random;
  }

  /** An expression of the grammar. The right side of = and <> is always known: there the two differ on purpose. */
  String wellFormed() {
    return or(3);
  }

  /** Tokens and stray characters in any order. */
  String soup() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(1, 12); i > 0; i--) {
      text.append(one(SOUP)).append(random.nextInt(4) == 0 ? "" : " ");
    }
    return text.toString();
  }

  /** Any values for {@code a} and {@code b}, or none; some for {@code p} and {@code q}. */
  Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(Map.of("p", one(VALUES), "q", one(VALUES)));
    for (String name : List.of("a", "b")) {
      if (random.nextBoolean()) {
        properties.put(name, one(VALUES));
      }
    }
    return properties;
  }

  private String or(int depth) {
    return and(depth) + (chance(3) ? " OR " + and(depth) : "");
  }

  private String and(int depth) {
    return equality(depth) + (chance(3) ? " AND " + equality(depth) : "");
  }

  private String equality(int depth) {
    String left = comparison(depth);
    return switch (random.nextInt(8)) {
      case 0, 1 -> left + " = " + known();
      case 2 -> left + " <> " + known();
      case 3 -> left + " IS NULL";
      case 4 -> left + " IS NOT NULL = TRUE";
      default -> left;
    };
  }

  private String comparison(int depth) {
    String left = unary(depth);
    String not = chance(3) ? " NOT" : "";
    return switch (random.nextInt(14)) {
      case 0, 1 -> left + one(List.of(" > ", " >= ", " < ", " <= ")) + unary(depth);
      case 2, 3 -> left + not + " BETWEEN " + unary(0) + " AND " + unary(0);
      case 4, 5 -> left + not + " IN (" + one(TEXTS) + ", " + one(TEXTS) + ")";
      case 6 -> left + not + " CONTAINS " + one(TEXTS);
      case 7 -> left + not + " STARTSWITH " + one(TEXTS);
      case 8 -> left + not + " ENDSWITH " + one(TEXTS);
      default -> left;
    };
  }

  private String unary(int depth) {
    return switch (random.nextInt(12)) {
      case 0 -> "NOT " + primary(depth);
      case 1 -> "- " + primary(depth);
      case 2 -> "+ " + primary(depth);
      default -> primary(depth);
    };
  }

  private String primary(int depth) {
    return switch (random.nextInt(depth > 0 ? 12 : 8)) {
      case 0 -> one(TEXTS);
      case 1, 2 -> one(NUMBERS);
      case 3 -> one(List.of("TRUE", "FALSE", "NULL"));
      case 4, 5, 6, 7 -> one(List.of("a", "b", "p", "q"));
      default -> "(" + or(depth - 1) + ")";
    };
  }

  private String known() {
    return one(List.of("p", "q", "TRUE", "FALSE", one(NUMBERS), one(TEXTS), "(p IS NULL)", "-1", "+2"));
  }

  private boolean chance(int oneIn) {
    return random.nextInt(oneIn) == 0;
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
