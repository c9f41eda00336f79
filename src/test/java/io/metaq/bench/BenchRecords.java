package io.metaq.bench;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.PendingRecords;
import io.metaq.model.QueueHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Always the same batch of records with bodies of 128 bytes over eight queues, with new unique keys for each round. */
final class BenchRecords implements PendingRecords {
  static final String TOPIC = "bench";
  static final int QUEUES = 8;

  private final QueueHandle[] queues;
  private final int size;
  private final int keyEnd;
  private final ByteBuffer bytes;
  private int keys;

  BenchRecords(int batch) {
    byte[] topic = TOPIC.getBytes(StandardCharsets.US_ASCII);
    byte[] properties = PropertiesText.encode(Map.of("UNIQ_KEY", Frames.KEY));
    RecordEncoder encoder = new RecordEncoder(new byte[8]).topic(topic, 0, topic.length)
        .properties(properties, 0, properties.length).body(ByteBuffer.allocate(128)).born(new byte[8], 0);
    queues = new QueueHandle[batch];
    size = encoder.message(0, 0, 0, 0, 0).size();
    keyEnd = size - 1;
    bytes = ByteBuffer.allocateDirect(batch * size);
    for (int i = 0; i < batch; i++) {
      queues[i] = new QueueHandle(TOPIC, i % QUEUES);
      encoder.message(i % QUEUES, 0, 0, 0, 0).writeTo(bytes, i * size);
    }
  }

  void nextKeys() {
    for (int i = 0; i < queues.length; i++) {
      int key = keys++;
      for (int digit = 1; digit <= 8; digit++) {
        bytes.put(i * size + keyEnd - digit, (byte) ('0' + (key & 15)));
        key >>>= 4;
      }
    }
  }

  @Override
  public int count() {
    return queues.length;
  }

  @Override
  public ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public int start(int index) {
    return index * size;
  }

  @Override
  public int size(int index) {
    return size;
  }

  @Override
  public QueueHandle queue(int index) {
    return queues[index];
  }

  @Override
  public int unitEnd(int index) {
    return index + 1;
  }

  @Override
  public void stored(int index, long phyOffset, long queueOffset) {}

  @Override
  public void refused(int index, AppendStatus status, String detail) {
    throw new IllegalStateException(detail);
  }
}
