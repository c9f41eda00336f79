package io.metaq.client;

import java.util.List;
import java.util.function.Function;

/**
 * A broker that is registered and told nothing, so that what is shown is without what only this broker knows.
 *
 * @param broker its name
 * @param reason why it told nothing
 * @param fault the same as a sentence, with its address
 */
public record MissingBroker(String broker, MetaqException.Reason reason, String fault) {
  static MissingBroker of(String broker, MetaqException failure) {
    return new MissingBroker(broker, failure.reason(), failure.getMessage());
  }

  /**
   * Those a list is without, which each of its items says; none when it is empty, for then all brokers have answered.
   *
   * @param <T> of the items
   */
  public static <T> List<MissingBroker> ofAny(List<T> items, Function<? super T, List<MissingBroker>> missing) {
    return items.isEmpty() ? List.of() : missing.apply(items.get(0));
  }
}
