package io.metaq.client;

import io.metaq.model.PropertyNames;
import io.metaq.model.Topics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a new message of one that was looked up: body, tag, keys and the application's own properties, nothing of its past. */
final class MessageResend {
  /** What clients and brokers add on a message's way. */
  private static final Set<String> OF_THE_WAY = Set.of(
      PropertyNames.UNIQ_KEY, PropertyNames.WAIT, PropertyNames.DELAY, PropertyNames.RETRY_TOPIC, PropertyNames.REAL_TOPIC,
      PropertyNames.REAL_QID, PropertyNames.TRAN_MSG, PropertyNames.PGROUP, PropertyNames.TRANSACTION_ID,
      PropertyNames.TRANSACTION_CHECK_TIMES, PropertyNames.TRAN_PREPARED_QUEUE_OFFSET, PropertyNames.ORIGIN_MESSAGE_ID,
      PropertyNames.RECONSUME_TIME, PropertyNames.MAX_RECONSUME_TIMES, PropertyNames.MSG_REGION, PropertyNames.TRACE_ON,
      PropertyNames.CLUSTER, PropertyNames.POP_CK, PropertyNames.TIMER_DELAY_SEC, PropertyNames.TIMER_DELAY_MS,
      PropertyNames.TIMER_DELIVER_MS, "TIMER_OUT_MS", "TIMER_ENQUEUE_MS", "TIMER_DEQUEUE_MS", "TIMER_ROLL_TIMES", "1ST_POP_TIME",
      "MIN_OFFSET", "MAX_OFFSET", "INSTANCE_ID", "CONSUME_START_TIME", "DLQ_ORIGIN_TOPIC", "DLQ_ORIGIN_MESSAGE_ID");

  private MessageResend() {}

  /**
   * To the topic it was sent to once; or into one group's retry topic, from where that group alone gets it as a message of that
   * topic. A dead letter goes back to its group.
   */
  static Message of(FoundMessage found, Optional<String> group) {
    Message stored = found.message();
    String origin = stored.property(PropertyNames.RETRY_TOPIC)
        .or(() -> stored.property(PropertyNames.REAL_TOPIC)).orElse(stored.topic());
    Optional<String> reader = reader(found, group);
    Map<String, String> properties = new LinkedHashMap<>(stored.properties());
    properties.keySet().removeAll(OF_THE_WAY);
    if (reader.isEmpty()) {
      return new Message(origin, stored.body(), properties, stored.flag());
    }
    properties.put(PropertyNames.RETRY_TOPIC, origin);
    return new Message(Topics.retryOf(reader.get()), stored.body(), properties, stored.flag());
  }

  /** The one group that gets it; empty when all of a topic do. */
  static Optional<String> reader(FoundMessage found, Optional<String> group) {
    return group.or(() -> deadLetterGroup(found.message().topic()));
  }

  private static Optional<String> deadLetterGroup(String topic) {
    return Topics.isDeadLetter(topic) ? Optional.of(topic.substring(Topics.DEAD_LETTER_PREFIX.length())) : Optional.empty();
  }
}
