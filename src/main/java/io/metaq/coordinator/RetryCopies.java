package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Copies of messages that were not settled in time, for the retry topic of their group: body, flags and birth as they are, one
 * attempt older, and with the topic they were sent to, their group and the time of their first pop among their properties.
 */
@OwnedBy("PopVerticle")
final class RetryCopies {
  /** The retry topic's queue for them, as RocketMQ has it. */
  static final int QUEUE_ID = 0;

  private final RecordEncoder encoder;
  private final Map<String, QueueHandle> targets = new HashMap<>();

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  RetryCopies(byte[] storeHost) {
    encoder = new RecordEncoder(storeHost);
  }

  /** The topic that a queue's messages are copied to: of the retry topic they go back to it. */
  static String topicFor(PopQueue queue) {
    return Topics.isRetry(queue.topic()) ? queue.topic() : Topics.popRetryOf(queue.topic(), queue.group());
  }

  /** Adds the copy of a message to the round; false when there is no room for it. */
  boolean add(PopRound round, Checkpoint checkpoint, ByteBuffer record, PopRound.Step step) {
    StoredMessage message = StoredMessage.decode(record, 0);
    String topic = topicFor(checkpoint.queue());
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    byte[] properties = properties(message, checkpoint);
    encoder
        .topic(name, 0, name.length)
        .properties(properties, 0, properties.length)
        .body(ByteBuffer.wrap(message.body()))
        .born(message.bornHost(), message.bornTimestamp())
        .message(QUEUE_ID, message.flag(), message.sysFlag(), message.reconsumeTimes() + (checkpoint.suspended() ? 0 : 1), 0);
    return round.add(targets.computeIfAbsent(topic, target -> new QueueHandle(target, QUEUE_ID)), encoder, step);
  }

  /** Those of the message as they are when there is no room for more. */
  private static byte[] properties(StoredMessage message, Checkpoint checkpoint) {
    Map<String, String> properties = new LinkedHashMap<>(message.properties());
    properties.putIfAbsent(PropertyNames.RETRY_TOPIC, message.topic());
    properties.put(PropertyNames.ORIGIN_GROUP, checkpoint.queue().group());
    String firstPop = Long.toString(checkpoint.popTimeMs());
    if (message.reconsumeTimes() == 0) {
      properties.put(PropertyNames.FIRST_POP_TIME, firstPop);
    } else {
      properties.putIfAbsent(PropertyNames.FIRST_POP_TIME, firstPop);
    }
    byte[] text = PropertiesText.encode(properties);
    return text.length <= PropertiesText.MAX_BYTES ? text : PropertiesText.encode(message.properties());
  }
}
