package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import io.metaq.model.Topics;
import java.util.HashMap;
import java.util.Map;

/**
 * Where a message belongs that waits under a topic of the broker: its properties {@code REAL_TOPIC} and {@code REAL_QID}, of equal
 * names the last ones. Reusable: {@link #clear()}, set what is found, then ask.
 */
@OwnedBy("the verticle that reads with it")
final class RealTarget {
  private final Map<String, Map<Integer, QueueHandle>> handles = new HashMap<>();
  private String topic = "";
  private String queueId = "";

  void clear() {
    topic = "";
    queueId = "";
  }

  void topic(String value) {
    topic = value;
  }

  void queueId(String value) {
    queueId = value;
  }

  /** What is wrong with it, as a clause; empty when nothing is. */
  String fault() {
    String fault = Topics.topicFault(topic);
    if (fault != null) {
      return "its property " + PropertyNames.REAL_TOPIC + " names no topic: " + fault;
    }
    if (Topics.closedToProducers(topic)) {
      return "its property " + PropertyNames.REAL_TOPIC + " names the system topic " + topic;
    }
    return isQueueId(queueId) ? "" : "its property " + PropertyNames.REAL_QID + " is no queue id: \"" + queueId + "\"";
  }

  /** The queue; only when there is no {@link #fault()}. */
  QueueHandle queue() {
    return queue(topic, Integer.parseInt(queueId));
  }

  /** The handle of any queue, always the same one. */
  QueueHandle queue(String ofTopic, int number) {
    return handles.computeIfAbsent(ofTopic, name -> new HashMap<>())
        .computeIfAbsent(number, id -> new QueueHandle(ofTopic, id));
  }

  private static boolean isQueueId(String text) {
    try {
      return Integer.parseInt(text) >= 0;
    } catch (NumberFormatException notOne) {
      return false;
    }
  }
}
