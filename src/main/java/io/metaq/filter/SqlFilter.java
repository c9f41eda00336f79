package io.metaq.filter;

import java.util.List;

/**
 * A compiled SQL92 filter on the properties of messages. Immutable; any thread may use it.
 *
 * <pre>
 *   or         : and ( OR and )*
 *   and        : equality ( AND equality )*
 *   equality   : comparison ( ( = | &lt;&gt; ) comparison | IS [ NOT ] NULL )*
 *   comparison : unary ( ( &gt; | &gt;= | &lt; | &lt;= ) unary
 *                      | [ NOT ] BETWEEN unary AND unary
 *                      | [ NOT ] IN ( 'text' [ , 'text' ]* )
 *                      | [ NOT ] ( CONTAINS | STARTSWITH | ENDSWITH ) 'text' )*
 *   unary      : ( + | - | NOT ) unary | primary
 *   primary    : 'text' | number | TRUE | FALSE | NULL | property | ( or )
 * </pre>
 *
 * <p>Keywords are taken in any case of letters, names of properties as they are: {@code [A-Za-z_$][A-Za-z0-9_$]*}. A property is a
 * text, or null when the message does not have it. Comparisons with null are unknown, AND, OR and NOT three-valued; {@link Values} says
 * how a text compares with a number. Only a message for which the whole is true matches: unknown is no match, nor is a property that
 * is no number where one is needed.
 *
 * <p>Bounds: {@value #MAX_LENGTH} characters, and the depths that {@link FilterParser} names. Grammar and rules are those of Apache
 * RocketMQ 5.5.0, beside which a test runs them; docs/filters.md lists where they differ.
 */
public final class SqlFilter {
  /** Longest expression, in characters. */
  public static final int MAX_LENGTH = 128 * 1024;

  private final Term condition;
  private final List<String> properties;
  private final int weight;

  private SqlFilter(Term condition, List<String> properties, int weight) {
    this.condition = condition;
    this.properties = properties;
    this.weight = weight;
  }

  /**
   * Compiles an expression.
   *
   * @throws FilterException when it is none, or beyond the bounds
   */
  public static SqlFilter compile(String expression) {
    if (expression.isBlank()) {
      throw new FilterException(1, "the expression is empty");
    }
    if (expression.length() > MAX_LENGTH) {
      throw new FilterException(
          MAX_LENGTH + 1,
          "the expression has " + expression.length() + " characters, more than the " + MAX_LENGTH + " that are taken");
    }
    FilterParser parser = new FilterParser(expression);
    Term condition = parser.filter();
    return new SqlFilter(condition, parser.properties(), parser.weight());
  }

  /** Names of the properties the filter looks at; the place in the list is a property's number. */
  public List<String> properties() {
    return properties;
  }

  /** How many comparisons and operands there are: what judging one message costs at most. */
  public int weight() {
    return weight;
  }

  /**
   * Judges one message. Never throws, whatever the texts.
   *
   * @param values text of each property by its number, null where the message does not have it
   */
  public boolean matches(String[] values) {
    return Boolean.TRUE.equals(condition.value(values));
  }
}
