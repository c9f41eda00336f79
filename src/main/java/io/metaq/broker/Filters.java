package io.metaq.broker;

/** What this broker says of filters it does not evaluate. */
final class Filters {
  static final String UNSUPPORTED = "this broker filters by tag only; SQL92 expressions are not supported";

  private Filters() {}
}
