package io.metaq.messaging;

import io.metaq.client.MetaqClientOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Which cluster a channel talks to, and how. Channels with equal ones share a client.
 *
 * @param optionsName identifier of a bean that has all the options; the others count for nothing then
 */
record Connection(
    Optional<String> optionsName,
    Optional<String> nameServers,
    Optional<String> producerGroup,
    Optional<Integer> requestTimeoutMs,
    Optional<Integer> sendTimeoutMs) {
  static Connection of(Attributes attributes) {
    return new Connection(
        attributes.text("client-options-name"),
        attributes.text("name-servers"),
        attributes.text("producer-group"),
        attributes.count("request-timeout-ms"),
        attributes.count("send-timeout-ms"));
  }

  /** @param named gives the bean with an identifier */
  MetaqClientOptions options(Function<String, MetaqClientOptions> named) {
    return optionsName.map(named).orElseGet(() -> {
      MetaqClientOptions options = new MetaqClientOptions();
      nameServers.ifPresent(options::setNameServers);
      producerGroup.ifPresent(options::setProducerGroup);
      requestTimeoutMs.map(Duration::ofMillis).ifPresent(options::setRequestTimeout);
      sendTimeoutMs.map(Duration::ofMillis).ifPresent(options::setSendTimeout);
      return options;
    });
  }
}
