package io.metaq.filter;

/**
 * How values of a filter compare. A value is a {@code String}, {@code Integer}, {@code Long}, {@code Double} or {@code Boolean},
 * {@code null} where nothing is known, or {@link #FAILED}.
 *
 * <p>A text is read as what it is compared with: an {@code Integer} where that is one, and so on. One that cannot be read so fails,
 * and with it the whole evaluation; it is not just unknown. So does Apache RocketMQ 5.5.0, and what a filter selects must not depend on
 * the broker.
 */
final class Values {
  /** What an evaluation that cannot go on gives. */
  static final Object FAILED = new Object();

  /** What {@link #order} gives when texts are no numbers. */
  static final int NOT_ORDERED = Integer.MIN_VALUE;

  private Values() {}

  /** Whether two known values are equal: a {@code Boolean}, or {@link #FAILED}. */
  static Object equal(Object left, Object right) {
    if (left instanceof String && right instanceof String) {
      return left.equals(right);
    }
    if (left instanceof Boolean) {
      return right instanceof String ? FAILED : (Object) left.equals(right);
    }
    if (right instanceof Boolean) {
      return left instanceof String text && right.equals(Boolean.parseBoolean(text));
    }
    int order = order(left, right);
    return order == NOT_ORDERED ? FAILED : (Object) (order == 0);
  }

  /** Compares two numbers, or texts that are numbers: below, at or above 0; {@link #NOT_ORDERED} when they are none. */
  static int order(Object left, Object right) {
    try {
      if (left instanceof String leftText) {
        return right instanceof String rightText
            ? Double.compare(Double.parseDouble(leftText), Double.parseDouble(rightText))
            : orderNumbers(read(leftText, (Number) right), (Number) right);
      }
      return right instanceof String rightText
          ? orderNumbers((Number) left, read(rightText, (Number) left))
          : orderNumbers((Number) left, (Number) right);
    } catch (NumberFormatException noNumber) {
      return NOT_ORDERED;
    }
  }

  private static Number read(String text, Number like) {
    if (like instanceof Integer) {
      return Integer.valueOf(text);
    }
    return like instanceof Long ? (Number) Long.valueOf(text) : (Number) Double.valueOf(text);
  }

  private static int orderNumbers(Number left, Number right) {
    return left instanceof Double || right instanceof Double
        ? Double.compare(left.doubleValue(), right.doubleValue())
        : Long.compare(left.longValue(), right.longValue());
  }
}
