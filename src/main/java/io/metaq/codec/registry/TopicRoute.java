package io.metaq.codec.registry;

import java.util.List;
import java.util.Optional;

/**
 * Where the queues of one topic are.
 *
 * @param orderTopicConf {@code broker:queues;broker:queues}: the queues producers of an ordered topic use
 */
public record TopicRoute(Optional<String> orderTopicConf, List<QueueData> queues, List<BrokerData> brokers) {
  public TopicRoute {
    queues = List.copyOf(queues);
    brokers = List.copyOf(brokers);
  }
}
