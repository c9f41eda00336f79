package io.metaq.store;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.PendingRecords;
import io.metaq.model.QueueHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A batch of records made in a test, with its outcome as plain lists. */
final class TestRecords implements PendingRecords {
  private static final byte[] STORE_HOST = {10, 0, 0, 2, 0, 0, 0x2a, (byte) 0x9f};
  private static final byte[] BORN_HOST = {10, 0, 0, 1, 0, 0, 0x13, (byte) 0x88};

  private final RecordEncoder encoder = new RecordEncoder(STORE_HOST);
  private ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
  private int end;
  private final List<QueueHandle> queues = new ArrayList<>();
  private final List<Integer> starts = new ArrayList<>();
  private final List<Integer> sizes = new ArrayList<>();
  private final List<Integer> unitEnds = new ArrayList<>();
  private final List<AppendStatus> statuses = new ArrayList<>();
  private final List<String> details = new ArrayList<>();
  private final List<Long> phyOffsets = new ArrayList<>();
  private final List<Long> queueOffsets = new ArrayList<>();

  TestRecords add(String topic, int queueId, String body) {
    return add(topic, queueId, body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  TestRecords add(String topic, int queueId, String body, Map<String, String> properties) {
    return add(topic, queueId, body.getBytes(StandardCharsets.UTF_8), properties);
  }

  TestRecords add(String topic, int queueId, byte[] body, Map<String, String> properties) {
    return add(topic, queueId, body, properties, 0, BORN_HOST);
  }

  TestRecords add(String topic, int queueId, byte[] body, Map<String, String> properties, int sysFlag, byte[] bornHost) {
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    byte[] text = PropertiesText.encode(properties);
    encoder.topic(name, 0, name.length).properties(text, 0, text.length).body(ByteBuffer.wrap(body))
        .born(bornHost, 1_700_000_000_000L).message(queueId, 0, sysFlag, 0, 0);
    int size = encoder.size();
    if (end + size > bytes.capacity()) {
      ByteBuffer bigger = ByteBuffer.allocateDirect(Math.max(bytes.capacity() * 2, end + size));
      bigger.put(0, bytes, 0, end);
      bytes = bigger;
    }
    encoder.writeTo(bytes, end);
    queues.add(new QueueHandle(topic, queueId));
    starts.add(end);
    sizes.add(size);
    unitEnds.add(starts.size());
    statuses.add(null);
    details.add(null);
    phyOffsets.add(-1L);
    queueOffsets.add(-1L);
    end += size;
    return this;
  }

  /** Joins the last {@code count} records into one unit. */
  TestRecords unit(int count) {
    unitEnds.set(starts.size() - count, starts.size());
    return this;
  }

  /** Takes the queue of the last record away, as no sender may. */
  TestRecords withoutQueue() {
    queues.set(queues.size() - 1, null);
    return this;
  }

  AppendStatus status(int index) {
    return statuses.get(index);
  }

  String detail(int index) {
    return details.get(index);
  }

  long phyOffset(int index) {
    return phyOffsets.get(index);
  }

  long queueOffset(int index) {
    return queueOffsets.get(index);
  }

  List<AppendStatus> statuses() {
    return statuses;
  }

  @Override
  public int count() {
    return starts.size();
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public int start(int index) {
    return starts.get(index);
  }

  @Override
  public int size(int index) {
    return sizes.get(index);
  }

  @Override
  public QueueHandle queue(int index) {
    return queues.get(index);
  }

  @Override
  public int unitEnd(int index) {
    return unitEnds.get(index);
  }

  @Override
  public void stored(int index, long phyOffset, long queueOffset) {
    statuses.set(index, AppendStatus.STORED);
    phyOffsets.set(index, phyOffset);
    queueOffsets.set(index, queueOffset);
  }

  @Override
  public void refused(int index, AppendStatus status, String detail) {
    statuses.set(index, status);
    details.set(index, detail);
  }
}
