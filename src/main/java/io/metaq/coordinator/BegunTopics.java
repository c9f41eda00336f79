package io.metaq.coordinator;

import io.metaq.model.OwnedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Topics whose first messages a slave got before it got the master's table that tells of them, with the queues they have at least. What
 * was noted before a table was asked for is settled when the table comes: the topic stands in it, or the master has deleted it. When the
 * master does not give it, it is kept until it does, or is lost.
 */
@OwnedBy("MasterTablesVerticle")
final class BegunTopics {
  private Map<String, Integer> noted = new HashMap<>();
  private Map<String, Integer> asked = new HashMap<>();

  void note(String topic, int queueId) {
    noted.merge(topic, queueId + 1, Math::max);
  }

  /** A table is asked for. */
  void asking() {
    noted.forEach((topic, queues) -> asked.merge(topic, queues, Math::max));
    noted = new HashMap<>();
  }

  /** The table came. */
  void settled() {
    asked = new HashMap<>();
  }

  /** Whether a topic was noted after the last question. */
  boolean isNews() {
    return !noted.isEmpty();
  }

  /** All that is not settled, by topic the number of queues; nothing is noted afterwards. */
  Map<String, Integer> take() {
    asking();
    Map<String, Integer> taken = asked;
    settled();
    return taken;
  }
}
