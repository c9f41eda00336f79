package io.metaq.client;

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
}
