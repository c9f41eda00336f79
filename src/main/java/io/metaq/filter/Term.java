package io.metaq.filter;

import java.util.List;
import java.util.Set;

/**
 * A part of a compiled filter. Its value depends on the message's properties alone, which come as texts by the numbers the filter
 * gave them, null for those a message does not have; see {@link Values} for what a value may be. Conditions follow three-valued logic,
 * with null for unknown; their parts are looked at from left to right, no further than it takes.
 */
sealed interface Term {
  Object value(String[] properties);

  /** Whether the value is true, false or unknown, so that the term may stand where a condition is wanted. */
  default boolean isCondition() {
    return true;
  }

  /**
   * A literal.
   *
   * @param signed whether a minus stood in front of it; the checks of literals do not look at such a one
   */
  record Literal(Object constant, boolean signed) implements Term {
    @Override
    public Object value(String[] properties) {
      return constant;
    }

    @Override
    public boolean isCondition() {
      return !signed && (constant == null || constant instanceof Boolean);
    }
  }

  /** The text of a property. */
  record Property(int number) implements Term {
    @Override
    public Object value(String[] properties) {
      return properties[number];
    }

    @Override
    public boolean isCondition() {
      return false;
    }
  }

  /** A property where a condition is wanted: whatever its text, that is not true. */
  record BareProperty(Property property) implements Term {
    @Override
    public Object value(String[] properties) {
      return property.value(properties) == null ? null : Boolean.FALSE;
    }
  }

  /** A minus in front of what is no number: nothing that is known. */
  record Negative(Term operand) implements Term {
    @Override
    public Object value(String[] properties) {
      return operand.value(properties) == Values.FAILED ? Values.FAILED : null;
    }

    @Override
    public boolean isCondition() {
      return false;
    }
  }

  record Not(Term condition) implements Term {
    @Override
    public Object value(String[] properties) {
      return negatedIf(true, condition.value(properties));
    }
  }

  /** AND of all: false as soon as one is. */
  record All(List<Term> conditions) implements Term {
    @Override
    public Object value(String[] properties) {
      return decidedBy(Boolean.FALSE, conditions, properties);
    }
  }

  /** OR of all: true as soon as one is. */
  record Any(List<Term> conditions) implements Term {
    @Override
    public Object value(String[] properties) {
      return decidedBy(Boolean.TRUE, conditions, properties);
    }
  }

  /** {@code =}, or {@code <>} when negated. */
  record Equal(Term left, Term right, boolean negated) implements Term {
    @Override
    public Object value(String[] properties) {
      Object leftValue = left.value(properties);
      Object rightValue = leftValue == Values.FAILED ? Values.FAILED : right.value(properties);
      if (rightValue == Values.FAILED || leftValue == null || rightValue == null) {
        return rightValue == Values.FAILED ? Values.FAILED : null;
      }
      return negatedIf(negated, Values.equal(leftValue, rightValue));
    }
  }

  /** One of the four orders; both sides are properties, numbers, or nothing known. */
  record Ordered(Term left, TokenKind order, Term right) implements Term {
    @Override
    public Object value(String[] properties) {
      Object leftValue = left.value(properties);
      Object rightValue = right.value(properties);
      if (leftValue == Values.FAILED || rightValue == Values.FAILED) {
        return Values.FAILED;
      }
      if (leftValue == null || rightValue == null) {
        return null;
      }
      int compared = Values.order(leftValue, rightValue);
      return compared == Values.NOT_ORDERED ? Values.FAILED : (Object) holds(compared);
    }

    private boolean holds(int compared) {
      return switch (order) {
        case LESS -> compared < 0;
        case LESS_OR_EQUAL -> compared <= 0;
        case GREATER -> compared > 0;
        default -> compared >= 0;
      };
    }
  }

  record IsNull(Term operand, boolean negated) implements Term {
    @Override
    public Object value(String[] properties) {
      Object value = operand.value(properties);
      return value == Values.FAILED ? value : (Object) ((value == null) != negated);
    }
  }

  record In(Property property, Set<String> texts, boolean negated) implements Term {
    @Override
    public Object value(String[] properties) {
      Object text = property.value(properties);
      return text == null ? null : (Object) (texts.contains(text) != negated);
    }
  }

  /** CONTAINS and its kind. False for what is no text, and when an empty text is wanted, negated or not. */
  record Search(Term operand, TokenKind where, String wanted, boolean negated) implements Term {
    @Override
    public Object value(String[] properties) {
      if (wanted.isEmpty()) {
        return Boolean.FALSE;
      }
      Object value = operand.value(properties);
      return value == Values.FAILED ? value : (Object) (value instanceof String text && found(text) != negated);
    }

    private boolean found(String text) {
      return switch (where) {
        case STARTSWITH -> text.startsWith(wanted);
        case ENDSWITH -> text.endsWith(wanted);
        default -> text.contains(wanted);
      };
    }
  }

  /** The verdict as soon as one condition has it or fails; else unknown if one is, else the opposite. */
  private static Object decidedBy(Boolean verdict, List<Term> conditions, String[] properties) {
    Object outcome = !verdict;
    for (Term condition : conditions) {
      Object value = condition.value(properties);
      if (value == Values.FAILED || verdict.equals(value)) {
        return value;
      }
      if (value == null) {
        outcome = null;
      }
    }
    return outcome;
  }

  private static Object negatedIf(boolean negated, Object value) {
    return negated && value instanceof Boolean truth ? (Object) !truth : value;
  }
}
