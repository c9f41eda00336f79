package io.metaq.broker;

import io.metaq.filter.FilterException;
import io.metaq.filter.SqlFilter;
import io.metaq.model.OwnedBy;
import io.metaq.model.Subscription;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles filter expressions and keeps the ones used last, since readers send theirs with every pull. What a heartbeat registered
 * is compiled here too, from the subscription itself; so a filter that is older than its subscription (code 28) cannot be.
 *
 * <p>Bound: {@value #MAX_KEPT} expressions of {@value #MAX_KEPT_CHARS} characters in all.
 */
@OwnedBy("its event loop")
final class Filters {
  static final int MAX_KEPT = 1_000;
  static final int MAX_KEPT_CHARS = 256 * 1024;

  private final boolean enabled;
  private final Map<String, Verdict> kept = new LinkedHashMap<>(16, 0.75f, true);
  private int keptChars;

  /**
   * Begins with none.
   *
   * @param enabled whether expressions are evaluated at all ({@code enablePropertyFilter})
   */
  Filters(boolean enabled) {
    this.enabled = enabled;
  }

  /**
   * What came of an expression.
   *
   * @param fault why it is none, empty when it is one
   */
  record Verdict(Optional<SqlSelection> selection, String fault) {}

  boolean enabled() {
    return enabled;
  }

  /** Why no expression is evaluated while {@link #enabled()} is false. */
  static String disabledReason() {
    return "this broker filters by tag only: SQL92 expressions are switched off (enablePropertyFilter)";
  }

  /** Compiles an expression of a kind that is not {@link Subscription#isTag() a tag filter}. */
  Verdict compile(String kind, String expression) {
    if (!kind.equals(Subscription.SQL92)) {
      return new Verdict(Optional.empty(), "filter type '" + kind + "' is unknown; there are TAG and SQL92");
    }
    Verdict verdict = kept.get(expression);
    if (verdict == null) {
      verdict = compile(expression);
      keep(expression, verdict);
    }
    return verdict;
  }

  private static Verdict compile(String expression) {
    try {
      return new Verdict(Optional.of(new SqlSelection(SqlFilter.compile(expression))), "");
    } catch (FilterException fault) {
      return new Verdict(Optional.empty(), fault.getMessage());
    }
  }

  private void keep(String expression, Verdict verdict) {
    if (expression.length() > MAX_KEPT_CHARS) {
      return;
    }
    kept.put(expression, verdict);
    keptChars += expression.length();
    while (keptChars > MAX_KEPT_CHARS || kept.size() > MAX_KEPT) {
      String oldest = kept.keySet().iterator().next();
      kept.remove(oldest);
      keptChars -= oldest.length();
    }
  }
}
