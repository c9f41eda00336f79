package io.metaq.cli;

import io.metaq.client.Subscription;
import java.util.regex.Pattern;

/** What {@code --filter} holds, as a user types it. */
enum FilterKind {
  tag,
  sql;

  /** A comparison, in symbols or words. Tags with such in them are rare. */
  private static final Pattern COMPARISON =
      Pattern.compile("[=<>]|\\s(IS|IN|BETWEEN|CONTAINS|STARTSWITH|ENDSWITH)\\s", Pattern.CASE_INSENSITIVE);

  /** SQL92 when there is a comparison in it, else tags. */
  static FilterKind of(String expression) {
    return COMPARISON.matcher(expression).find() ? sql : tag;
  }

  Subscription select(Subscription from, String expression) {
    return this == sql ? from.sql(expression) : from.filter(expression);
  }
}
