package io.metaq.client;

import io.metaq.codec.registry.BrokerData;
import io.metaq.codec.registry.QueueData;
import io.metaq.codec.registry.TopicRoute;
import io.metaq.model.Perm;
import io.metaq.model.Topics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Where one topic is, as a client uses it.
 *
 * @param writable queues that take messages: permitted, and their broker has a master; by broker name, then number, as official
 *     producers count them when they choose one by a key
 * @param readable queues that can be read
 * @param brokers addresses of each broker by id, 0 the master
 * @param provisional whether it was made up from the template because the topic does not exist yet
 */
record Route(
    String topic, List<TopicQueue> writable, List<TopicQueue> readable, Map<String, SortedMap<Long, Address>> brokers, boolean provisional) {
  private static final long MASTER = BrokerData.MASTER_ID;

  /** Queues per broker a topic is created with when its first message comes. */
  static final int NEW_TOPIC_QUEUES = 4;

  /** Brokers create a group's retry topic so, whatever the first message says. */
  private static final int NEW_RETRY_TOPIC_QUEUES = 1;

  /** The route a name server told. */
  static Route of(String topic, TopicRoute told) {
    return build(topic, told, Integer.MAX_VALUE, false);
  }

  /** What the route of a topic will be once the brokers of the template have created it. */
  static Route fromTemplate(String topic, TopicRoute template) {
    return build(topic, template, Topics.isRetry(topic) ? NEW_RETRY_TOPIC_QUEUES : NEW_TOPIC_QUEUES, true);
  }

  /** Where to send to a broker, empty when it has no master now. */
  Optional<Address> master(String broker) {
    SortedMap<Long, Address> byId = brokers.get(broker);
    return byId == null ? Optional.empty() : Optional.ofNullable(byId.get(MASTER));
  }

  /** Where to read from a broker: the one it suggested if that is still there, else the master, else any. */
  Optional<Address> reading(String broker, long suggestedId) {
    SortedMap<Long, Address> all = brokers.getOrDefault(broker, new TreeMap<>());
    Address suggested = all.get(suggestedId);
    return suggested != null ? Optional.of(suggested) : all.values().stream().findFirst();
  }

  /** Every address of every broker. */
  Stream<Address> addresses() {
    return brokers.values().stream().flatMap(byId -> byId.values().stream());
  }

  private static Route build(String topic, TopicRoute told, int maxQueues, boolean provisional) {
    Map<String, SortedMap<Long, Address>> brokers = new HashMap<>();
    for (BrokerData broker : told.brokers()) {
      SortedMap<Long, Address> byId = new TreeMap<>();
      broker.addresses().forEach((id, text) -> Address.find(text).ifPresent(address -> byId.put(id, address)));
      brokers.put(broker.brokerName(), byId);
    }
    List<TopicQueue> writable = new ArrayList<>();
    List<TopicQueue> readable = new ArrayList<>();
    List<QueueData> byBroker = told.queues().stream().sorted(Comparator.comparing(QueueData::brokerName)).toList();
    for (QueueData queues : byBroker) {
      SortedMap<Long, Address> byId = brokers.getOrDefault(queues.brokerName(), new TreeMap<>());
      if (Perm.writable(queues.perm()) && byId.containsKey(MASTER)) {
        int writeQueues = provisional ? queues.readQueues() : queues.writeQueues();
        add(writable, topic, queues.brokerName(), Math.min(maxQueues, writeQueues));
      }
      if (Perm.readable(queues.perm()) && !byId.isEmpty()) {
        add(readable, topic, queues.brokerName(), Math.min(maxQueues, queues.readQueues()));
      }
    }
    return new Route(topic, List.copyOf(writable), List.copyOf(readable), Map.copyOf(brokers), provisional);
  }

  private static void add(List<TopicQueue> queues, String topic, String broker, int count) {
    for (int queueId = 0; queueId < count; queueId++) {
      queues.add(new TopicQueue(topic, broker, queueId));
    }
  }
}
