package io.metaq.torture;

import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.QueueHandle;
import io.metaq.store.MessageStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Makes batches of numbered messages for the log, each with its number as key. */
@OwnedBy("the thread of the round")
final class PendingMessages {
  /** So that units fit into the smallest log file. */
  private static final int LONGEST_UNIT = 3;
  private static final byte[] HOST = {127, 0, 0, 1, 0, 0, 0x2a, (byte) 0x9f};

  private final Clock clock;
  private final int topics;
  private final int queuesPerTopic;
  private final RecordEncoder encoder = new RecordEncoder(HOST);
  private final AppendBatch batch = new AppendBatch(0);
  private final List<Long> numbers = new ArrayList<>();
  private QueueHandle[] queues = {};
  private long lastNumber;

  PendingMessages(Clock clock, int topics, int queuesPerTopic) {
    this.clock = clock;
    this.topics = topics;
    this.queuesPerTopic = queuesPerTopic;
  }

  static String topic(int index) {
    return "torture" + index;
  }

  /** A store numbers the messages of its queues by itself, so handles to queues are its own. */
  void bindTo(MessageStore store) {
    queues = new QueueHandle[topics * queuesPerTopic];
    for (int i = 0; i < queues.length; i++) {
      queues[i] = new QueueHandle(topic(i / queuesPerTopic), i % queuesPerTopic);
    }
  }

  /** A new batch; at times some of it is one unit. */
  void fill(int count, RandomGenerator random, Ledger ledger) {
    batch.clear();
    numbers.clear();
    for (int i = 0; i < count; i++) {
      add(++lastNumber, queues[random.nextInt(queues.length)]);
      ledger.sent(lastNumber);
    }
    if (random.nextInt(4) == 0) {
      batch.unit(Math.max(0, batch.count() - random.nextInt(1, LONGEST_UNIT + 1)));
    }
  }

  AppendBatch batch() {
    return batch;
  }

  int count() {
    return batch.count();
  }

  long number(int index) {
    return numbers.get(index);
  }

  /** Where the message was stored. */
  Place place(int index) {
    return new Place(batch.queue(index).topic(), batch.queue(index).queueId(), batch.queueOffset(index));
  }

  private void add(long number, QueueHandle queue) {
    byte[] topic = queue.topic().getBytes(StandardCharsets.US_ASCII);
    byte[] properties = PropertiesText.encode(Map.of("KEYS", "key" + number));
    encoder.topic(topic, 0, topic.length).properties(properties, 0, properties.length).body(ByteBuffer.wrap(Payload.of(number)))
        .born(HOST, clock.millis()).message(queue.queueId(), 0, 0, 0, 0);
    if (batch.reserve(encoder.size())) {
      encoder.writeTo(batch.bytes(), batch.end());
      batch.add(queue, encoder.size());
      numbers.add(number);
    }
  }
}
