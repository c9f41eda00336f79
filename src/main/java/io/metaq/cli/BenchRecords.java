package io.metaq.cli;

import io.metaq.bus.AppendBatch;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.model.AppendStatus;
import io.metaq.model.OwnedBy;
import io.metaq.model.QueueHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One batch of records over eight queues, with new unique keys for each round, as clients make them. */
@OwnedBy("the writer of the bench")
final class BenchRecords {
  private static final String TOPIC = "metaq-bench-store";
  private static final int QUEUES = 8;
  private static final String KEY = "7F00000100002A9F0000000000000000";
  private static final int DIGITS = 8;
  private static final byte[] HOST = {127, 0, 0, 1, 0, 0, 0x2a, (byte) 0x9f};

  private final AppendBatch batch = new AppendBatch(0);
  private final int messageSize;
  private int keys;

  BenchRecords(int count, int bodySize) {
    byte[] topic = TOPIC.getBytes(StandardCharsets.US_ASCII);
    byte[] properties = PropertiesText.encode(Map.of("UNIQ_KEY", KEY));
    RecordEncoder encoder = new RecordEncoder(HOST).topic(topic, 0, topic.length).properties(properties, 0, properties.length)
        .body(ByteBuffer.allocate(bodySize)).born(HOST, 0);
    messageSize = encoder.message(0, 0, 0, 0, 0).size();
    for (int i = 0; i < count; i++) {
      batch.reserve(messageSize);
      encoder.message(i % QUEUES, 0, 0, 0, 0).writeTo(batch.bytes(), batch.end());
      batch.add(new QueueHandle(TOPIC, i % QUEUES), messageSize);
    }
  }

  /** Bytes of one stored record. */
  int messageSize() {
    return messageSize;
  }

  int count() {
    return batch.count();
  }

  /** The batch, with keys it never had before. */
  AppendBatch next() {
    ByteBuffer bytes = batch.bytes();
    for (int i = 0; i < batch.count(); i++) {
      int key = keys++;
      int keyEnd = batch.start(i) + messageSize - 1;
      for (int digit = 1; digit <= DIGITS; digit++) {
        bytes.put(keyEnd - digit, (byte) ('A' + (key & 15)));
        key >>>= 4;
      }
    }
    return batch;
  }

  /** Why the batch was not stored as a whole; null when it was. */
  String refusal() {
    int last = batch.count() - 1;
    return batch.status(last) == AppendStatus.STORED ? null : batch.detail(last);
  }
}
