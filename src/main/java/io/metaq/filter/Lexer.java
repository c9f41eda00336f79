package io.metaq.filter;

import io.metaq.model.OwnedBy;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

/** Cuts a filter expression into tokens; white space, {@code -- comments} and {@code /* comments *}{@code /} lie between them. */
@OwnedBy("the parser that reads from it")
final class Lexer {
  private static final Map<String, TokenKind> WORDS = Arrays.stream(TokenKind.values()).filter(TokenKind::isWord)
      .collect(Collectors.toMap(TokenKind::spelling, Function.identity()));
  private static final int LONGEST_WORD = 10;
  private static final char NONE = '\0';

  private final String expression;
  private int at;

  Lexer(String expression) {
    this.expression = expression;
  }

  Token next() {
    skipBlanks();
    if (at == expression.length()) {
      return new Token(TokenKind.END, at + 1, "");
    }
    char first = expression.charAt(at);
    if (isNameStart(first)) {
      return word();
    }
    if (isDigit(first) || first == '.' && isDigit(peek(1))) {
      return number();
    }
    return first == '\'' ? text() : symbol(first);
  }

  private void skipBlanks() {
    while (at < expression.length()) {
      char c = expression.charAt(at);
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f') {
        at++;
      } else if (c == '-' && peek(1) == '-') {
        skipWhile(inLine -> inLine != '\n' && inLine != '\r');
      } else if (c == '/' && peek(1) == '*') {
        int end = expression.indexOf("*/", at + 2);
        if (end < 0) {
          throw new FilterException(at + 1, "the comment is not closed");
        }
        at = end + 2;
      } else {
        return;
      }
    }
  }

  private Token word() {
    int start = at;
    skipWhile(c -> isNameStart((char) c) || isDigit((char) c));
    String name = expression.substring(start, at);
    TokenKind keyword = name.length() > LONGEST_WORD ? null : WORDS.get(name.toUpperCase(Locale.ROOT));
    return new Token(keyword == null ? TokenKind.NAME : keyword, start + 1, name);
  }

  private Token number() {
    int start = at;
    skipWhile(c -> isDigit((char) c));
    boolean decimal = peek(0) == '.';
    if (decimal) {
      at++;
      skipWhile(c -> isDigit((char) c));
    }
    if (hasExponent()) {
      decimal = true;
      at += 2;
      skipWhile(c -> isDigit((char) c));
    } else if (!decimal && (peek(0) == 'l' || peek(0) == 'L')) {
      at++;
    }
    return new Token(decimal ? TokenKind.DECIMAL : TokenKind.INTEGER, start + 1, expression.substring(start, at));
  }

  private boolean hasExponent() {
    boolean signed = peek(1) == '+' || peek(1) == '-';
    return (peek(0) == 'e' || peek(0) == 'E') && isDigit(peek(signed ? 2 : 1));
  }

  private Token text() {
    int start = at;
    StringBuilder content = new StringBuilder();
    int from = at + 1;
    while (true) {
      int quote = expression.indexOf('\'', from);
      if (quote < 0) {
        throw new FilterException(start + 1, "the text is not closed; a single quote ends it, two stand for one in it");
      }
      content.append(expression, from, quote);
      at = quote + 1;
      if (peek(0) != '\'') {
        return new Token(TokenKind.TEXT, start + 1, content.toString());
      }
      content.append('\'');
      from = at + 1;
    }
  }

  private Token symbol(char first) {
    TokenKind kind = switch (first) {
      case '=' -> TokenKind.EQUAL;
      case '<' -> peek(1) == '>' ? TokenKind.NOT_EQUAL : peek(1) == '=' ? TokenKind.LESS_OR_EQUAL : TokenKind.LESS;
      case '>' -> peek(1) == '=' ? TokenKind.GREATER_OR_EQUAL : TokenKind.GREATER;
      case '(' -> TokenKind.OPEN;
      case ')' -> TokenKind.CLOSE;
      case ',' -> TokenKind.COMMA;
      case '+' -> TokenKind.PLUS;
      case '-' -> TokenKind.MINUS;
      default -> throw stranger();
    };
    int start = at;
    at += kind.spelling().length();
    return new Token(kind, start + 1, kind.spelling());
  }

  private FilterException stranger() {
    String shown = Character.toString(expression.codePointAt(at));
    return new FilterException(at + 1, "'" + shown + "' is no part of an expression; "
        + (shown.equals("\"") ? "texts stand in single quotes" : "names of properties have letters A to Z, digits, _ and $"));
  }

  private void skipWhile(IntPredicate wanted) {
    while (at < expression.length() && wanted.test(expression.charAt(at))) {
      at++;
    }
  }

  /** The character so far ahead, {@link #NONE} behind the end. */
  private char peek(int ahead) {
    return at + ahead < expression.length() ? expression.charAt(at + ahead) : NONE;
  }

  private static boolean isNameStart(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
