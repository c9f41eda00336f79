package io.metaq.filter;

import java.util.Map;
import org.apache.rocketmq.filter.SqlFilter;
import org.apache.rocketmq.filter.expression.EvaluationContext;
import org.apache.rocketmq.filter.expression.Expression;
import org.apache.rocketmq.filter.expression.MQFilterException;

/** The filter of Apache RocketMQ 5.5.0, asked as its broker asks it. */
final class Reference {
  static final String REFUSED = "refused";

  private Reference() {}

  /** {@link #REFUSED}, or whether a message with these properties matches. */
  static String verdict(String expression, Map<String, String> properties) {
    Expression compiled;
    try {
      compiled = new SqlFilter().compile(expression);
    } catch (MQFilterException refused) {
      return REFUSED;
    }
    try {
      return String.valueOf(Boolean.TRUE.equals(compiled.evaluate(new Context(properties))));
    } catch (Exception failed) {
      // Its broker takes this for no match.
      return "false";
    }
  }

  private record Context(Map<String, String> properties) implements EvaluationContext {
    @Override
    public Object get(String name) {
      return properties.get(name);
    }

    @Override
    public Map<String, Object> keyValues() {
      return Map.copyOf(properties);
    }
  }
}
