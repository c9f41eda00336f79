package io.metaq.filter;

/** What a token of a filter expression is. Those with a spelling are that, in any case of letters. */
enum TokenKind {
  END("the end of the expression"),
  NAME("a property"),
  TEXT("a text in single quotes"),
  INTEGER("a whole number"),
  DECIMAL("a decimal number"),
  EQUAL("="),
  NOT_EQUAL("<>"),
  LESS("<"),
  LESS_OR_EQUAL("<="),
  GREATER(">"),
  GREATER_OR_EQUAL(">="),
  OPEN("("),
  CLOSE(")"),
  COMMA(","),
  PLUS("+"),
  MINUS("-"),
  NOT("NOT"),
  AND("AND"),
  OR("OR"),
  BETWEEN("BETWEEN"),
  IN("IN"),
  IS("IS"),
  NULL("NULL"),
  TRUE("TRUE"),
  FALSE("FALSE"),
  CONTAINS("CONTAINS"),
  STARTSWITH("STARTSWITH"),
  ENDSWITH("ENDSWITH");

  private final String spelling;

  TokenKind(String spelling) {
    this.spelling = spelling;
  }

  /** The spelling, or words for what has none of its own. */
  String spelling() {
    return spelling;
  }

  boolean isWord() {
    return compareTo(NOT) >= 0;
  }
}
