package io.metaq.store.inspect;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.RecordReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The texts in a record that derived files are made from. */
final class RecordText {
  private RecordText() {}

  static String topic(RecordReader record) {
    return text(record, record.topicStart(), record.topicLength());
  }

  static Map<String, String> properties(RecordReader record) {
    byte[] properties = new byte[record.propertiesLength()];
    record.bytes().get(record.propertiesStart(), properties);
    return PropertiesText.decode(properties);
  }

  private static String text(RecordReader record, int at, int length) {
    byte[] copied = new byte[length];
    record.bytes().get(at, copied);
    return new String(copied, StandardCharsets.UTF_8);
  }
}
