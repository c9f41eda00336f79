package io.metaq.filter;

import static io.metaq.filter.TokenKind.AND;
import static io.metaq.filter.TokenKind.CLOSE;
import static io.metaq.filter.TokenKind.COMMA;
import static io.metaq.filter.TokenKind.END;
import static io.metaq.filter.TokenKind.NOT;
import static io.metaq.filter.TokenKind.NULL;
import static io.metaq.filter.TokenKind.OPEN;
import static io.metaq.filter.TokenKind.OR;
import static io.metaq.filter.TokenKind.TEXT;

import io.metaq.model.OwnedBy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Turns one expression into a {@link Term}, by recursive descent: one method for each line of the grammar, which is that of
 * {@link SqlFilter}. The terms are no deeper than {@value #MAX_NESTING} brackets and {@value #MAX_CHAINED} chained comparisons make
 * them, so neither parsing nor evaluating them runs out of stack; what one AND or OR joins lies side by side, whatever its number.
 */
@OwnedBy("the call that made it")
final class FilterParser {
  static final int MAX_NESTING = 100;
  static final int MAX_CHAINED = 200;

  private final Lexer lexer;
  private final Map<String, Integer> numbers = new LinkedHashMap<>();
  private Token token;
  private int nesting;
  private int chained;
  private int weight;

  FilterParser(String expression) {
    lexer = new Lexer(expression);
    token = lexer.next();
  }

  /** The whole expression. */
  Term filter() {
    int start = token.position();
    Term filter = condition(or(), start);
    if (token.kind() != END) {
      throw unexpected("an operator or the end");
    }
    return filter;
  }

  /** Names of the properties, each at its number. */
  List<String> properties() {
    return List.copyOf(numbers.keySet());
  }

  /** How many terms were made: a measure of what one evaluation costs at most. */
  int weight() {
    return weight;
  }

  private Term or() {
    int start = token.position();
    Term first = and();
    if (token.kind() != OR) {
      return first;
    }
    List<Term> conditions = new ArrayList<>(List.of(condition(first, start)));
    while (took(OR)) {
      int next = token.position();
      conditions.add(condition(and(), next));
    }
    return new Term.Any(List.copyOf(conditions));
  }

  private Term and() {
    int start = token.position();
    Term first = equality();
    if (token.kind() != AND) {
      return first;
    }
    List<Term> conditions = new ArrayList<>(List.of(condition(first, start)));
    while (took(AND)) {
      int next = token.position();
      conditions.add(condition(equality(), next));
    }
    return new Term.All(List.copyOf(conditions));
  }

  private Term equality() {
    Term left = comparison();
    for (int links = 0; ; links++) {
      Token operator = token;
      switch (operator.kind()) {
        case EQUAL, NOT_EQUAL -> {
          link(links);
          advance();
          Term right = comparison();
          left = made(equal(left, operator, right));
        }
        case IS -> {
          link(links);
          advance();
          boolean negated = took(NOT);
          expect(NULL);
          left = made(new Term.IsNull(left, negated));
        }
        default -> {
          return left;
        }
      }
    }
  }

  private static Term equal(Term left, Token operator, Term right) {
    if (isNullLiteral(left) || isNullLiteral(right)) {
      throw new FilterException(operator.position(), "nothing is " + operator.text() + " NULL; write IS NULL or IS NOT NULL");
    }
    if (left instanceof Term.Literal one && one.constant() instanceof Boolean
        && right instanceof Term.Literal other && !other.signed() && !(other.constant() instanceof Boolean)) {
      throw new FilterException(operator.position(), "TRUE and FALSE cannot be compared with a text or a number");
    }
    return new Term.Equal(left, right, operator.kind() == TokenKind.NOT_EQUAL);
  }

  private Term comparison() {
    int start = token.position();
    Term left = unary();
    for (int links = 0; ; links++) {
      switch (token.kind()) {
        case LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> {
          TokenKind order = token.kind();
          link(links);
          advance();
          int at = token.position();
          Term right = unary();
          left = ordered(left, start, order, right, at);
        }
        case NOT, BETWEEN, IN, CONTAINS, STARTSWITH, ENDSWITH -> {
          link(links);
          left = word(left, start);
        }
        default -> {
          return left;
        }
      }
    }
  }

  /** BETWEEN and what else is a word, the word itself being the next token, or NOT in front of it. */
  private Term word(Term left, int start) {
    boolean negated = took(NOT);
    Token word = token;
    switch (word.kind()) {
      case BETWEEN -> {
        advance();
        return between(left, start, negated);
      }
      case IN -> {
        advance();
        return in(left, start, negated);
      }
      case CONTAINS, STARTSWITH, ENDSWITH -> {
        advance();
        return made(new Term.Search(left, word.kind(), expect(TEXT).text(), negated));
      }
      default -> throw unexpected("BETWEEN, IN, CONTAINS, STARTSWITH or ENDSWITH");
    }
  }

  private Term between(Term left, int start, boolean negated) {
    int lowAt = token.position();
    Term low = unary();
    expect(AND);
    int highAt = token.position();
    Term high = unary();
    if (negated) {
      return new Term.Any(List.of(
          ordered(left, start, TokenKind.LESS, low, lowAt), ordered(left, start, TokenKind.GREATER, high, highAt)));
    }
    Term atLeast = ordered(left, start, TokenKind.GREATER_OR_EQUAL, low, lowAt);
    Term atMost = ordered(left, start, TokenKind.LESS_OR_EQUAL, high, highAt);
    if (low instanceof Term.Literal lowest && !lowest.signed() && high instanceof Term.Literal highest && !highest.signed()
        && Values.order(lowest.constant(), highest.constant()) > 0) {
      throw new FilterException(lowAt, "nothing is between " + lowest.constant() + " and " + highest.constant()
          + "; the lower bound comes first");
    }
    return new Term.All(List.of(atLeast, atMost));
  }

  private Term ordered(Term left, int leftAt, TokenKind order, Term right, int rightAt) {
    requireOrdered(left, leftAt);
    requireOrdered(right, rightAt);
    return made(new Term.Ordered(left, order, right));
  }

  /** Whether a term can be a number is seen here for all but properties. */
  private static void requireOrdered(Term term, int at) {
    if (term instanceof Term.Not) {
      throw new FilterException(at, "NOT binds closer than a comparison; put what it negates in brackets");
    }
    if (term.isCondition()) {
      throw new FilterException(at, "a condition cannot be below or above anything; only properties and numbers can");
    }
    if (term instanceof Term.Literal literal && literal.constant() instanceof String) {
      throw new FilterException(at, "a text cannot be below or above anything; only properties and numbers can");
    }
  }

  private Term in(Term left, int start, boolean negated) {
    if (!(left instanceof Term.Property property)) {
      throw new FilterException(start, left instanceof Term.Not
          ? "NOT binds closer than IN; write NOT IN" : "only a property can stand in front of IN");
    }
    expect(OPEN);
    Set<String> texts = new HashSet<>();
    do {
      texts.add(expect(TEXT).text());
    } while (took(COMMA));
    expect(CLOSE);
    return made(new Term.In(property, texts, negated));
  }

  private Term unary() {
    Token sign = token;
    return switch (sign.kind()) {
      case PLUS -> nested(this::unary);
      case MINUS -> made(negative(nested(this::unary)));
      case NOT -> nested(() -> {
        int at = token.position();
        return made(new Term.Not(condition(unary(), at)));
      });
      default -> primary();
    };
  }

  private static Term negative(Term operand) {
    if (operand instanceof Term.Literal literal) {
      if (literal.constant() instanceof Integer number) {
        return new Term.Literal(-number, true);
      }
      if (literal.constant() instanceof Long number) {
        return new Term.Literal(-number, true);
      }
      if (literal.constant() instanceof Double number) {
        return new Term.Literal(-number, true);
      }
    }
    return new Term.Negative(operand);
  }

  private Term primary() {
    Token first = token;
    switch (first.kind()) {
      case NAME -> {
        advance();
        return made(new Term.Property(numbers.computeIfAbsent(first.text(), name -> numbers.size())));
      }
      case OPEN -> {
        Term inner = nested(this::or);
        expect(CLOSE);
        return inner;
      }
      case TEXT -> {
        return literal(first.text());
      }
      case INTEGER -> {
        return literal(whole(first));
      }
      case DECIMAL -> {
        return literal(decimal(first));
      }
      case TRUE, FALSE -> {
        return literal(first.kind() == TokenKind.TRUE);
      }
      case NULL -> {
        return literal(null);
      }
      default -> throw unexpected("a property, a text, a number, TRUE, FALSE, NULL or (");
    }
  }

  private Term literal(Object constant) {
    advance();
    return made(new Term.Literal(constant, false));
  }

  private static Object whole(Token number) {
    boolean marked = number.text().endsWith("l") || number.text().endsWith("L");
    String digits = marked ? number.text().substring(0, number.text().length() - 1) : number.text();
    try {
      long value = Long.parseLong(digits);
      return value <= Integer.MAX_VALUE ? (Object) (int) value : (Object) value;
    } catch (NumberFormatException tooLong) {
      throw new FilterException(number.position(), number.shown() + " is beyond " + Long.MAX_VALUE);
    }
  }

  private static Object decimal(Token number) {
    double value = Double.parseDouble(number.text());
    if (value < Double.MIN_VALUE) {
      throw new FilterException(number.position(), number.shown() + " is below " + Double.MIN_VALUE + "; zero is written as 0");
    }
    if (value > Double.MAX_VALUE) {
      throw new FilterException(number.position(), number.shown() + " is beyond " + Double.MAX_VALUE);
    }
    return value;
  }

  /** A term as a condition. */
  private static Term condition(Term term, int at) {
    if (term.isCondition()) {
      return term;
    }
    if (term instanceof Term.Property property) {
      return new Term.BareProperty(property);
    }
    throw new FilterException(at, "what begins here is neither true nor false; a condition is wanted");
  }

  private static boolean isNullLiteral(Term term) {
    return term instanceof Term.Literal literal && literal.constant() == null;
  }

  // Reading, one token at a time

  private interface Rule {
    Term read();
  }

  /** What follows the next token, one level deeper. */
  private Term nested(Rule rule) {
    if (++nesting > MAX_NESTING) {
      throw new FilterException(token.position(), "brackets and signs are nested more than " + MAX_NESTING + " deep");
    }
    advance();
    Term inner = rule.read();
    nesting--;
    return inner;
  }

  /** Counts an operator that has {@code links} others before it in its chain, because each makes the term one deeper. */
  private void link(int links) {
    if (links > 0 && ++chained > MAX_CHAINED) {
      throw new FilterException(token.position(), "more than " + MAX_CHAINED + " comparisons are chained without AND or OR");
    }
  }

  private <T extends Term> T made(T term) {
    weight++;
    return term;
  }

  private void advance() {
    token = lexer.next();
  }

  private boolean took(TokenKind kind) {
    boolean next = token.kind() == kind;
    if (next) {
      advance();
    }
    return next;
  }

  private Token expect(TokenKind kind) {
    Token found = token;
    if (!took(kind)) {
      throw unexpected(kind.spelling());
    }
    return found;
  }

  private FilterException unexpected(String wanted) {
    return new FilterException(token.position(), "found " + token.shown() + " where " + wanted + " belongs");
  }
}
