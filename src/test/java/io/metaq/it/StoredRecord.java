package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A message as a pull returns it. */
public record StoredRecord(int queueId, int flag, long queueOffset, long phyOffset, int sysFlag, long bornTimestamp,
    long storeTimestamp, int reconsumeTimes, byte[] body, String topic, String propertiesText) {

  /** Reads the records of an answer's body, one behind the other. */
  public static List<StoredRecord> readAll(byte[] answerBody) {
    List<StoredRecord> records = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(answerBody);
    while (bytes.hasRemaining()) {
      int start = bytes.position();
      int size = bytes.getInt(start);
      records.add(read(bytes.slice(start, size)));
      bytes.position(start + size);
    }
    return records;
  }

  private static StoredRecord read(ByteBuffer record) {
    int magic = record.getInt(4);
    int sysFlag = record.getInt(36);
    record.position(48 + ((sysFlag & 0x10) == 0 ? 8 : 20));
    long storeTimestamp = record.getLong();
    record.position(record.position() + ((sysFlag & 0x20) == 0 ? 8 : 20));
    int reconsumeTimes = record.getInt();
    record.getLong();
    byte[] body = bytes(record, record.getInt());
    byte[] topic = bytes(record, magic == 0xDAA320A7 ? record.get() : record.getShort());
    byte[] properties = bytes(record, record.getShort());
    return new StoredRecord(record.getInt(12), record.getInt(16), record.getLong(20), record.getLong(28), sysFlag,
        record.getLong(40), storeTimestamp, reconsumeTimes, body, new String(topic, UTF_8), new String(properties, UTF_8));
  }

  private static byte[] bytes(ByteBuffer record, int length) {
    byte[] bytes = new byte[length];
    record.get(bytes);
    return bytes;
  }

  public String text() {
    return new String(body, UTF_8);
  }

  public Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    for (String pair : propertiesText.split("\u0002")) {
      int separator = pair.indexOf('\u0001');
      if (separator > 0) {
        properties.put(pair.substring(0, separator), pair.substring(separator + 1));
      }
    }
    return properties;
  }
}
