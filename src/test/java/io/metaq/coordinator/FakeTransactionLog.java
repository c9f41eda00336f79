package io.metaq.coordinator;

import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.StoredMessage;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.SharedBytes;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A log in memory that numbers records as the real one does; what was appended to it survives its reader. */
final class FakeTransactionLog implements TransactionLog {
  static final byte[] STORE_HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};
  static final byte[] BORN_HOST = {10, 0, 0, 1, 0, 0, 0, 99};
  private static final long RECORD_SPACE = 1_000;

  private final Clock clock;
  private final TreeMap<Long, ByteBuffer> records = new TreeMap<>();
  private final Map<String, List<Long>> queues = new HashMap<>();
  private final Map<Queue, Long> mins = new HashMap<>();
  private boolean indexed = true;
  private int lent;

  FakeTransactionLog(Clock clock) {
    this.clock = clock;
  }

  /** Stores a half message as the broker's send does, with these properties besides. */
  StoredMessage half(String group, String topic, String key, Map<String, String> more) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("TRAN_MSG", "true");
    properties.put("PGROUP", group);
    properties.put("UNIQ_KEY", key);
    properties.put("REAL_TOPIC", topic);
    properties.put("REAL_QID", "3");
    properties.put("__transactionId__", key);
    properties.putAll(more);
    return store(Topics.HALF, 0, 0, properties, "body of " + key, clock.millis());
  }

  /** Stores any record. */
  StoredMessage store(String topic, int queueId, int sysFlag, Map<String, String> properties, String body, long bornMs) {
    byte[] name = topic.getBytes(StandardCharsets.US_ASCII);
    byte[] text = PropertiesText.encode(properties);
    RecordEncoder encoder =
        new RecordEncoder(STORE_HOST)
            .topic(name, 0, name.length)
            .properties(text, 0, text.length)
            .body(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)))
            .born(BORN_HOST, bornMs)
            .message(queueId, 7, sysFlag, 0, 0);
    ByteBuffer record = ByteBuffer.allocate(encoder.size());
    encoder.writeTo(record, 0);
    return StoredMessage.decode(records.get(place(topic + "/" + queueId, record)), 0);
  }

  /** Takes the first {@code count} records of a batch in, and refuses the rest. */
  void append(AppendBatch batch, int count, AppendStatus refusal) {
    for (int i = 0; i < batch.count(); i++) {
      if (i < count) {
        ByteBuffer record = ByteBuffer.allocate(batch.size(i));
        record.put(0, batch.bytes(), batch.start(i), batch.size(i));
        long phyOffset = place(batch.queue(i).toString(), record);
        batch.stored(i, phyOffset, record.getLong(RecordLayout.QUEUE_OFFSET));
      } else {
        batch.refused(i, refusal, "not now");
      }
    }
  }

  /** All records of a queue. */
  List<StoredMessage> queue(String topic, int queueId) {
    return queues.getOrDefault(topic + "/" + queueId, List.of()).stream().map(at -> StoredMessage.decode(records.get(at), 0)).toList();
  }

  /** The record at this place is damaged from now on. */
  void damage(long phyOffset) {
    records.remove(phyOffset);
  }

  /** The first offset of the queue that is still there. */
  void cleaned(Queue queue, long min) {
    mins.put(queue, min);
  }

  /** There is no key index. */
  void withoutIndex() {
    indexed = false;
  }

  /** Records handed out and not released. */
  int lent() {
    return lent;
  }

  @Override
  public long minOffset(Queue queue) {
    return mins.getOrDefault(queue, 0L);
  }

  @Override
  public long maxOffset(Queue queue) {
    return queues.getOrDefault(name(queue), List.of()).size();
  }

  @Override
  public long firstSince(Queue queue, long storedMs) {
    List<Long> places = queues.getOrDefault(name(queue), List.of());
    long at = minOffset(queue);
    while (at < places.size() && storeTimestamp(places.get((int) at)) < storedMs) {
      at++;
    }
    return at;
  }

  private long storeTimestamp(long phyOffset) {
    return records.containsKey(phyOffset) ? StoredMessage.decode(records.get(phyOffset), 0).storeTimestamp() : -1;
  }

  @Override
  public long place(Queue queue, long queueOffset) {
    List<Long> places = queues.getOrDefault(name(queue), List.of());
    return queueOffset >= 0 && queueOffset < places.size() ? places.get((int) queueOffset) : NO_RECORD;
  }

  @Override
  public Optional<? extends SharedBytes> record(long phyOffset) {
    ByteBuffer record = records.get(phyOffset);
    if (record == null) {
      return Optional.empty();
    }
    lent++;
    return Optional.of(new SharedBytes() {
      @Override
      public ByteBuffer bytes() {
        return record;
      }

      @Override
      public void release() {
        lent--;
      }
    });
  }

  @Override
  public boolean anyWithKey(String topic, String uniqueKey, long fromMs, Predicate<ByteBuffer> test) {
    return indexed && records.values().stream().anyMatch(record -> {
      StoredMessage message = StoredMessage.decode(record, 0);
      return message.topic().equals(topic) && message.property("UNIQ_KEY").equals(uniqueKey) && message.storeTimestamp() >= fromMs
          && test.test(record);
    });
  }

  private long place(String queue, ByteBuffer record) {
    long phyOffset = records.isEmpty() ? 0 : records.lastKey() + RECORD_SPACE;
    List<Long> places = queues.computeIfAbsent(queue, name -> new ArrayList<>());
    record.putLong(RecordLayout.QUEUE_OFFSET, places.size());
    record.putLong(RecordLayout.PHY_OFFSET, phyOffset);
    record.putLong(RecordLayout.storeTimestamp(record.getInt(RecordLayout.SYS_FLAG)), clock.millis());
    places.add(phyOffset);
    records.put(phyOffset, record);
    return phyOffset;
  }

  private static String name(Queue queue) {
    return (queue == Queue.HALF ? Topics.HALF : Topics.HALF_OP) + "/0";
  }
}
