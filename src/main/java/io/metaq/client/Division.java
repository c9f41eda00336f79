package io.metaq.client;

import java.util.List;

/** The working of a strategy over lists that every member sorts alike. */
@FunctionalInterface
interface Division {
  /** The share of the member at {@code index}; the queues and members are sorted. */
  List<TopicQueue> share(List<TopicQueue> queues, List<String> members, int index);
}
