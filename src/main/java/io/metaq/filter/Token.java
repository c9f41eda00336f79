package io.metaq.filter;

/**
 * One token of an expression.
 *
 * @param position of its first character, from 1
 * @param text a name or number as written, the content of a text; the spelling of anything else
 */
record Token(TokenKind kind, int position, String text) {
  private static final int MAX_SHOWN = 40;

  /** As a sentence about it names it. */
  String shown() {
    if (kind == TokenKind.END) {
      return kind.spelling();
    }
    return "'" + (text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...") + "'";
  }
}
