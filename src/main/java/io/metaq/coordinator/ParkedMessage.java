package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Turns a record that waits in the schedule topic into the one its consumers get: real topic and queue, and the three properties
 * that said so left out; body, flags, birth, reconsume count and all other properties as they are. Reusable: {@link #read} one,
 * then write it.
 */
@OwnedBy("ScheduleVerticle")
final class ParkedMessage {
  private static final byte[] DELAY = ascii(PropertyNames.DELAY);
  private static final byte[] REAL_TOPIC = ascii(PropertyNames.REAL_TOPIC);
  private static final byte[] REAL_QUEUE_ID = ascii(PropertyNames.REAL_QID);

  private final RecordReader record = new RecordReader();
  private final RecordEncoder encoder;
  private final PropertyCursor cursor = new PropertyCursor();
  private final byte[] parkedText = new byte[PropertiesText.MAX_BYTES];
  private final byte[] keptText = new byte[PropertiesText.MAX_BYTES];
  private final RealTarget real = new RealTarget();

  private int keptLength;
  private QueueHandle target;

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  ParkedMessage(byte[] storeHost) {
    encoder = new RecordEncoder(storeHost);
  }

  /**
   * Looks at a sound record, from position 0 of {@code bytes}; they must stay until it is written.
   *
   * @return what keeps it from being delivered, as a clause; empty when nothing does
   */
  String read(ByteBuffer bytes) {
    record.wrap(bytes, 0);
    splitProperties();
    String fault = real.fault();
    if (fault.isEmpty()) {
      target = real.queue();
      byte[] topicBytes = target.topic().getBytes(StandardCharsets.UTF_8);
      encoder
          .topic(topicBytes, 0, topicBytes.length)
          .properties(keptText, 0, keptLength)
          .body(bytes.slice(record.bodyStart(), record.bodyLength()))
          .born(record.bornHost(), record.bornTimestamp())
          .message(
              target.queueId(), record.flag(), record.sysFlag(), record.reconsumeTimes(), record.preparedTransactionOffset());
    }
    return fault;
  }

  /** Where the message read last goes. */
  QueueHandle target() {
    return target;
  }

  /** Bytes of the record to write. */
  int size() {
    return encoder.size();
  }

  /** Writes the record, with holes for the writer of the log, from the absolute place {@code start} on. */
  void writeTo(ByteBuffer to, int start) {
    encoder.writeTo(to, start);
  }

  private void splitProperties() {
    int length = record.propertiesLength();
    record.bytes().get(record.propertiesStart(), parkedText, 0, length);
    real.clear();
    keptLength = 0;
    cursor.over(parkedText, 0, length);
    while (cursor.next()) {
      if (cursor.nameIs(REAL_TOPIC)) {
        real.topic(cursor.value());
      } else if (cursor.nameIs(REAL_QUEUE_ID)) {
        real.queueId(cursor.value());
      } else if (!cursor.nameIs(DELAY)) {
        int entryLength = cursor.entryEnd() - cursor.entryStart();
        System.arraycopy(parkedText, cursor.entryStart(), keptText, keptLength, entryLength);
        keptLength += entryLength;
      }
    }
  }

  private static byte[] ascii(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
