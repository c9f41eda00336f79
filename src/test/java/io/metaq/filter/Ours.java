package io.metaq.filter;

import java.util.Map;

/** Our filter with properties by name, for tests. */
final class Ours {
  private Ours() {}

  static boolean matches(String expression, Map<String, String> properties) {
    SqlFilter filter = SqlFilter.compile(expression);
    return filter.matches(filter.properties().stream().map(properties::get).toArray(String[]::new));
  }

  /** As {@link Reference#verdict}. */
  static String verdict(String expression, Map<String, String> properties) {
    try {
      return String.valueOf(matches(expression, properties));
    } catch (FilterException refused) {
      return Reference.REFUSED;
    }
  }
}
