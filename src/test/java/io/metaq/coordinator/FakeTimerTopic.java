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
import io.metaq.store.RecordVisitor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A log in memory that numbers records as the real one does; what was appended to it survives its reader. For any thread. */
final class FakeTimerTopic implements TimerTopic {
  static final byte[] STORE_HOST = {127, 0, 0, 1, 0, 0, 0x2A, (byte) 0x9F};
  static final byte[] BORN_HOST = {10, 0, 0, 1, 0, 0, 0, 99};
  static final long BORN_MS = 1_700_000_000_123L;

  private final Clock clock;
  private final TreeMap<Long, ByteBuffer> records = new TreeMap<>();
  private final Map<String, List<Long>> queues = new HashMap<>();
  private long min;
  private long end;

  FakeTimerTopic(Clock clock) {
    this.clock = clock;
  }

  /** Stores a message for {@code orders/3} that waits, as the broker's send does. */
  StoredMessage timer(String key, long outMs, Map<String, String> more) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("UNIQ_KEY", key);
    properties.put("TIMER_OUT_MS", Long.toString(outMs));
    properties.put("REAL_TOPIC", "orders");
    properties.put("REAL_QID", "3");
    properties.putAll(more);
    return store(Topics.TIMER, 0, properties, "body of " + key);
  }

  /** Stores any record. */
  synchronized StoredMessage store(String topic, int queueId, Map<String, String> properties, String body) {
    byte[] name = topic.getBytes(StandardCharsets.US_ASCII);
    byte[] text = PropertiesText.encode(properties);
    RecordEncoder encoder =
        new RecordEncoder(STORE_HOST)
            .topic(name, 0, name.length)
            .properties(text, 0, text.length)
            .body(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)))
            .born(BORN_HOST, BORN_MS)
            .message(queueId, 7, 0, 2, 0);
    ByteBuffer record = ByteBuffer.allocate(encoder.size());
    encoder.writeTo(record, 0);
    return StoredMessage.decode(records.get(place(topic + "/" + queueId, record)), 0);
  }

  /** Takes the first {@code count} records of a batch in, and refuses the rest. */
  synchronized void append(AppendBatch batch, int count, AppendStatus refusal) {
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
  synchronized List<StoredMessage> queue(String topic, int queueId) {
    return queues.getOrDefault(topic + "/" + queueId, List.of()).stream()
        .filter(records::containsKey).map(at -> StoredMessage.decode(records.get(at), 0)).toList();
  }

  /** The record at this place is damaged from now on. */
  synchronized void damage(long phyOffset) {
    records.remove(phyOffset);
  }

  /** A power cut takes the log's end away. */
  synchronized void cut(long phyOffset) {
    records.tailMap(phyOffset, true).clear();
    queues.values().forEach(places -> places.removeIf(place -> place >= phyOffset));
    end = phyOffset;
  }

  /** The first offset of the queue that is still there. */
  void cleaned(long first) {
    min = first;
  }

  @Override
  public synchronized long minOffset() {
    return min;
  }

  @Override
  public synchronized long maxOffset() {
    return queues.getOrDefault(Topics.TIMER + "/0", List.of()).size();
  }

  @Override
  public synchronized void forEachUnit(long from, UnitReader reader) {
    List<Long> places = queues.getOrDefault(Topics.TIMER + "/0", List.of());
    boolean more = true;
    for (int i = (int) from; more && i < places.size(); i++) {
      ByteBuffer record = records.get(places.get(i));
      more = reader.unit(i, places.get(i), record == null ? 1 : record.capacity());
    }
  }

  @Override
  public synchronized Optional<? extends SharedBytes> record(long phyOffset) {
    return Optional.ofNullable(records.get(phyOffset)).map(Lent::new);
  }

  private record Lent(ByteBuffer bytes) implements SharedBytes {
    @Override
    public void release() {
      // nothing is mapped here
    }
  }

  @Override
  public synchronized void forEachRecord(long from, RecordVisitor visitor) {
    records.tailMap(from, true).values().forEach(record -> visitor.record(record, 0));
  }

  @Override
  public synchronized long readableOffset() {
    return end;
  }

  @Override
  public synchronized long appendedOffset() {
    return end;
  }

  @Override
  public synchronized long flushedOffset() {
    return end;
  }

  private long place(String queue, ByteBuffer record) {
    long phyOffset = end;
    List<Long> places = queues.computeIfAbsent(queue, name -> new ArrayList<>());
    record.putLong(RecordLayout.QUEUE_OFFSET, places.size());
    record.putLong(RecordLayout.PHY_OFFSET, phyOffset);
    record.putLong(RecordLayout.storeTimestamp(record.getInt(RecordLayout.SYS_FLAG)), clock.millis());
    places.add(phyOffset);
    records.put(phyOffset, record);
    end += record.capacity();
    return phyOffset;
  }
}
