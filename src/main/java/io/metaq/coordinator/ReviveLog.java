package io.metaq.coordinator;

import io.metaq.codec.pop.AckBody;
import io.metaq.codec.pop.CheckpointBody;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes the records of the revive log: check points (tag {@code ck}) and acknowledgements ({@code ack}, {@code bAck}) in
 * RocketMQ's forms, and besides, under a tag that RocketMQ passes over, where ordered pops stand.
 *
 * <p>RocketMQ has its timer deliver a record here when it is due, and takes the latest of these times for "now"; ours are here at
 * once, so the time they carry is that of their making: a RocketMQ that takes the store over sees the clock go on, and revives
 * nothing before its time.
 */
@OwnedBy("PopVerticle")
final class ReviveLog {
  static final String CHECKPOINT = "ck";
  static final String ACK = "ack";
  static final String BATCH_ACK = "bAck";
  static final String ORDER = "metaqOrder";

  private final byte[] topic;
  private final QueueHandle[] queues;
  private final byte[] storeHost;
  private final String brokerName;
  private final Clock clock;
  private final RecordEncoder encoder;
  private final ByteSink body = new ByteSink(1024);

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  ReviveLog(PopRules rules, byte[] storeHost, Clock clock) {
    this.topic = rules.reviveTopic().getBytes(StandardCharsets.UTF_8);
    this.queues = new QueueHandle[rules.reviveQueues()];
    for (int queueId = 0; queueId < queues.length; queueId++) {
      queues[queueId] = new QueueHandle(rules.reviveTopic(), queueId);
    }
    this.storeHost = storeHost;
    this.brokerName = rules.brokerName();
    this.clock = clock;
    this.encoder = new RecordEncoder(storeHost);
  }

  boolean addCheckpoint(PopRound round, Checkpoint checkpoint, PopRound.Step step) {
    body.clear();
    checkpoint.body(brokerName).encode(body);
    return add(round, checkpoint.reviveQueueId(), CHECKPOINT, step);
  }

  /** Notes that these messages of a check point are settled. */
  boolean addAck(PopRound round, Checkpoint checkpoint, int bits, PopRound.Step step) {
    PopQueue queue = checkpoint.queue();
    AckBody ack = new AckBody(
        queue.topic(), queue.group(), queue.queueId(), brokerName, checkpoint.startOffset(), checkpoint.popTimeMs(),
        checkpoint.queueOffsets(bits));
    body.clear();
    ack.encode(body);
    return add(round, checkpoint.reviveQueueId(), ack.batch() ? BATCH_ACK : ACK, step);
  }

  /** Notes where ordered pops of a queue stand. */
  boolean addOrder(PopRound round, int reviveQueueId, byte[] json, PopRound.Step step) {
    body.clear();
    body.putBytes(json);
    return add(round, reviveQueueId, ORDER, step);
  }

  private boolean add(PopRound round, int queueId, String tag, PopRound.Step step) {
    long nowMs = clock.millis();
    byte[] properties = properties(tag, nowMs);
    encoder
        .topic(topic, 0, topic.length)
        .properties(properties, 0, properties.length)
        .body(ByteBuffer.wrap(body.array(), 0, body.length()))
        .born(storeHost, nowMs)
        .message(queueId, 0, 0, 0, 0);
    return round.add(queues[queueId], encoder, step);
  }

  private static byte[] properties(String tag, long nowMs) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(PropertiesText.entry(PropertyNames.TAGS, tag));
    text.writeBytes(PropertiesText.entry(PropertyNames.TIMER_DELIVER_MS, Long.toString(nowMs)));
    return text.toByteArray();
  }
}
