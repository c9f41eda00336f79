package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.SharedBytes;
import io.metaq.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Delay queues in memory; fill it before somebody reads it on another thread. */
final class FakeSchedule implements ScheduleLog {
  static final byte[] BORN_HOST = {10, 0, 0, 1, 0, 0, 0, 99};
  static final byte[] OLD_STORE_HOST = {10, 0, 0, 2, 0, 0, 0, 10};
  static final long BORN_MS = 1_600_000_000_000L;

  private final Map<Integer, List<Unit>> queues = new HashMap<>();
  private final Map<Long, ByteBuffer> records = new HashMap<>();
  private final Map<Integer, Long> mins = new HashMap<>();
  private final AtomicInteger lent = new AtomicInteger();
  private int unreadableLevel;

  private record Unit(long phyOffset, long deliverAtMs) {}

  /** Parks a message for queue {@code queueId} of {@code topic}. */
  void park(int level, long deliverAtMs, String topic, int queueId, String body) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("DELAY", Integer.toString(level));
    properties.put("REAL_TOPIC", topic);
    properties.put("REAL_QID", Integer.toString(queueId));
    properties.put("UNIQ_KEY", "key of " + body);
    parkAs(level, deliverAtMs, properties, body.getBytes(StandardCharsets.UTF_8));
  }

  /** Parks a record with exactly these properties. */
  void parkAs(int level, long deliverAtMs, Map<String, String> properties, byte[] body) {
    long phyOffset = 1_000L * (records.size() + 1);
    records.put(phyOffset, encode(level, properties, body));
    queues.computeIfAbsent(level, key -> new ArrayList<>()).add(new Unit(phyOffset, deliverAtMs));
  }

  /** A unit without a record behind it. */
  void parkUnit(int level, long deliverAtMs, long phyOffset) {
    queues.computeIfAbsent(level, key -> new ArrayList<>()).add(new Unit(phyOffset, deliverAtMs));
  }

  void minOffset(int level, long min) {
    mins.put(level, min);
  }

  /** From now on this level's queue cannot be read; 0 heals all. */
  void unreadable(int level) {
    unreadableLevel = level;
  }

  /** Records handed out and not released. */
  int lent() {
    return lent.get();
  }

  @Override
  public long minOffset(int level) {
    return mins.getOrDefault(level, 0L);
  }

  @Override
  public long maxOffset(int level) {
    return queues.getOrDefault(level, List.of()).size();
  }

  @Override
  public void forEachUnit(int level, long from, UnitReader reader) {
    if (level == unreadableLevel) {
      throw new StoreException("the queue cannot be read");
    }
    List<Unit> units = queues.getOrDefault(level, List.of());
    long at = from;
    while (at < units.size() && reader.unit(at, units.get((int) at).phyOffset, units.get((int) at).deliverAtMs)) {
      at++;
    }
  }

  @Override
  public Optional<? extends SharedBytes> record(long phyOffset) {
    ByteBuffer record = records.get(phyOffset);
    if (record == null) {
      return Optional.empty();
    }
    lent.incrementAndGet();
    return Optional.of(new Lent(record.duplicate()));
  }

  private static ByteBuffer encode(int level, Map<String, String> properties, byte[] body) {
    byte[] topic = "SCHEDULE_TOPIC_XXXX".getBytes(StandardCharsets.US_ASCII);
    byte[] text = PropertiesText.encode(properties);
    RecordEncoder encoder =
        new RecordEncoder(OLD_STORE_HOST)
            .topic(topic, 0, topic.length)
            .properties(text, 0, text.length)
            .body(ByteBuffer.wrap(body))
            .born(BORN_HOST, BORN_MS)
            .message(level - 1, 7, 0x101, 3, 0);
    ByteBuffer record = ByteBuffer.allocateDirect(encoder.size());
    encoder.writeTo(record, 0);
    return record;
  }

  private final class Lent implements SharedBytes {
    private final ByteBuffer bytes;

    Lent(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public ByteBuffer bytes() {
      return bytes;
    }

    @Override
    public void release() {
      lent.decrementAndGet();
    }
  }
}
