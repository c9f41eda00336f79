package io.metaq.broker;

import io.metaq.codec.pop.PopHandle;
import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.codec.record.StoredMessage;
import io.metaq.coordinator.api.PoppedQueue;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.SharedBytes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Messages of a group's retry topic as they are given to a pop of the topic they were sent to: under that topic, with their handle
 * among their properties, everything else as it is stored.
 */
@OwnedBy("its event loop")
final class RetriedMessages {
  private final String brokerName;
  private final RecordReader reader = new RecordReader();

  RetriedMessages(String brokerName) {
    this.brokerName = brokerName;
  }

  /** The records of a queue, rewritten one behind the other; what was popped is released. */
  byte[] rewrite(String topic, PopHandle handle, PoppedQueue queue) {
    ByteArrayOutputStream rewritten = new ByteArrayOutputStream(queue.bytes() + 256 * queue.queueOffsets().length);
    try {
      for (SharedBytes part : queue.records()) {
        ByteBuffer bytes = part.bytes();
        for (int at = 0; at < bytes.capacity(); at += bytes.getInt(at + RecordLayout.TOTAL_SIZE)) {
          rewritten.writeBytes(rewrite(topic, handle, StoredMessage.of(reader.wrap(bytes, at))));
        }
      }
    } finally {
      queue.release();
    }
    return rewritten.toByteArray();
  }

  private byte[] rewrite(String topic, PopHandle handle, StoredMessage message) {
    byte[] name = topic.getBytes(StandardCharsets.UTF_8);
    Map<String, String> properties = new LinkedHashMap<>(message.properties());
    properties.put(PropertyNames.POP_CK, handle.text(true, brokerName, message.queueId(), message.queueOffset()));
    byte[] text = PropertiesText.encode(properties);
    RecordEncoder encoder =
        new RecordEncoder(message.storeHost())
            .topic(name, 0, name.length)
            .properties(text, 0, text.length)
            .body(ByteBuffer.wrap(message.body()))
            .born(message.bornHost(), message.bornTimestamp())
            .message(
                message.queueId(), message.flag(), message.sysFlag(), message.reconsumeTimes(),
                    message.preparedTransactionOffset());
    ByteBuffer record = ByteBuffer.allocate(encoder.size());
    encoder.writeTo(record, 0);
    record.putLong(RecordLayout.QUEUE_OFFSET, message.queueOffset());
    record.putLong(RecordLayout.PHY_OFFSET, message.phyOffset());
    record.putLong(RecordLayout.storeTimestamp(record.getInt(RecordLayout.SYS_FLAG)), message.storeTimestamp());
    return record.array();
  }
}
