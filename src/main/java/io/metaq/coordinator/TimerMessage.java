package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import io.metaq.model.SysFlag;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A record that waits under the timer topic, and the two that are made of it: the message its consumers get, and the copy that is
 * stored anew when it is due much later. Both name it in the field that commits of transactions use for their half message: one
 * more than its offset in the timer topic's queue. So the log itself tells what was done ({@link DoneTimers}). Reusable: {@link
 * #read} one, choose a form, then write it.
 */
@OwnedBy("TimerVerticle")
final class TimerMessage {
  private static final byte[] TOPIC = ascii(Topics.TIMER);
  private static final byte[] REAL_TOPIC = ascii(PropertyNames.REAL_TOPIC);
  private static final byte[] REAL_QUEUE_ID = ascii(PropertyNames.REAL_QID);
  private static final byte[] OUT = ascii(PropertyNames.TIMER_OUT_MS);
  private static final byte[] ROLL_TIMES = ascii(PropertyNames.TIMER_ROLL_TIMES);
  private static final byte[] RECALLS = ascii(PropertyNames.TIMER_DEL_UNIQKEY);
  private static final byte[] UNIQUE_KEY = ascii(PropertyNames.UNIQ_KEY);
  /** Between topic and unique key in what a recalling message names. */
  private static final char KEY_SEPARATOR = '+';

  private final RecordReader record = new RecordReader();
  private final RecordEncoder encoder;
  private final PropertyCursor cursor = new PropertyCursor();
  private final byte[] text = new byte[PropertiesText.MAX_BYTES];
  private final byte[] formText = new byte[PropertiesText.MAX_BYTES];
  private final RealTarget real = new RealTarget();
  private final QueueHandle timers = new QueueHandle(Topics.TIMER, StoredTimers.QUEUE_ID);

  private int textLength;
  private int formLength;
  private long outMs;
  private long rollTimes;
  private String recalled;
  private String uniqueKey;
  private String realTopic;
  private QueueHandle target;

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  TimerMessage(byte[] storeHost) {
    encoder = new RecordEncoder(storeHost);
  }

  /** Looks at a sound record, from position 0 of {@code bytes}; they must stay until a form is written. */
  void read(ByteBuffer bytes) {
    record.wrap(bytes, 0);
    textLength = record.propertiesLength();
    bytes.get(record.propertiesStart(), text, 0, textLength);
    outMs = -1;
    rollTimes = 0;
    recalled = "";
    uniqueKey = "";
    realTopic = "";
    real.clear();
    cursor.over(text, 0, textLength);
    while (cursor.next()) {
      readEntry();
    }
  }

  private void readEntry() {
    switch (cursor.nameFirst()) {
      case 'R' -> {
        if (cursor.nameIs(REAL_TOPIC)) {
          realTopic = cursor.value();
          real.topic(realTopic);
        } else if (cursor.nameIs(REAL_QUEUE_ID)) {
          real.queueId(cursor.value());
        }
      }
      case 'T' -> {
        if (cursor.nameIs(OUT)) {
          outMs = number(cursor.value(), -1);
        } else if (cursor.nameIs(ROLL_TIMES)) {
          rollTimes = number(cursor.value(), 0);
        } else if (cursor.nameIs(RECALLS)) {
          recalled = cursor.value();
        }
      }
      case 'U' -> {
        if (cursor.nameIs(UNIQUE_KEY)) {
          uniqueKey = cursor.value();
        }
      }
      default -> { }
    }
  }

  /** Whether the record stands under the timer topic and says when it is due. */
  boolean isTimer() {
    return outMs > 0 && isOfTimerTopic(record);
  }

  private static boolean isOfTimerTopic(RecordReader reader) {
    return reader.queueId() == StoredTimers.QUEUE_ID && reader.topicLength() == TOPIC.length
        && reader.bytes().slice(reader.topicStart(), TOPIC.length).equals(ByteBuffer.wrap(TOPIC));
  }

  long queueOffset() {
    return record.queueOffset();
  }

  /** When it is due, as its record has it: the last moment before. */
  long outMs() {
    return outMs;
  }

  int topicHash() {
    return realTopic.hashCode();
  }

  /** Whether it takes another one back instead of being delivered. */
  boolean recalls() {
    return !recalled.isEmpty();
  }

  /** Remembers which message it takes back. */
  void recallInto(LongSet keys) {
    keys.add(hash(recalled));
  }

  /** Whether one of the keys is its own: topic and unique key, or as older producers have it the unique key alone. */
  boolean isRecalledBy(LongSet keys) {
    return !keys.isEmpty() && !uniqueKey.isEmpty() && !recalls()
        && (keys.contains(hash(realTopic + KEY_SEPARATOR + uniqueKey)) || keys.contains(hash(uniqueKey)));
  }

  /** What keeps it from being delivered, as a clause; empty when nothing does. */
  String fault() {
    return real.fault();
  }

  /** Chooses the form its consumers get; only without {@link #fault()}. */
  void asDelivered() {
    keepAllBut(REAL_TOPIC, REAL_QUEUE_ID);
    form(real.queue());
  }

  /** Chooses the form that is stored anew under the timer topic. */
  void asRolled() {
    keepAllBut(ROLL_TIMES, ROLL_TIMES);
    byte[] times = PropertiesText.entry(PropertyNames.TIMER_ROLL_TIMES, Long.toString(rollTimes + 1));
    if (formLength + times.length <= formText.length) {
      System.arraycopy(times, 0, formText, formLength, times.length);
      formLength += times.length;
    }
    form(timers);
  }

  private void keepAllBut(byte[] one, byte[] another) {
    formLength = 0;
    cursor.over(text, 0, textLength);
    while (cursor.next()) {
      if (!cursor.nameIs(one) && !cursor.nameIs(another)) {
        int length = cursor.entryEnd() - cursor.entryStart();
        System.arraycopy(text, cursor.entryStart(), formText, formLength, length);
        formLength += length;
        if (formText[formLength - 1] != PropertiesText.ENTRY_END && formLength < formText.length) {
          formText[formLength++] = PropertiesText.ENTRY_END;
        }
      }
    }
  }

  private void form(QueueHandle queue) {
    target = queue;
    byte[] topic = queue.topic().getBytes(StandardCharsets.UTF_8);
    encoder
        .topic(topic, 0, topic.length)
        .properties(formText, 0, formLength)
        .body(record.bytes().slice(record.bodyStart(), record.bodyLength()))
        .born(record.bornHost(), record.bornTimestamp())
        .message(queue.queueId(), record.flag(), record.sysFlag() & ~SysFlag.TRANSACTION_MASK, record.reconsumeTimes(),
            record.queueOffset() + 1);
  }

  /** Where the chosen form goes. */
  QueueHandle target() {
    return target;
  }

  /** Bytes of the chosen form. */
  int size() {
    return encoder.size();
  }

  /** Writes the chosen form, with holes for the writer of the log, from the absolute place {@code start} on. */
  void writeTo(ByteBuffer to, int start) {
    encoder.writeTo(to, start);
  }

  /** FNV-1a over the characters: 64 bits, so that two of a second's keys never meet by chance. */
  private static long hash(String key) {
    long hash = 0xCBF29CE484222325L;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x100000001B3L;
    }
    return hash;
  }

  private static long number(String text, long otherwise) {
    try {
      return Long.parseLong(text.trim());
    } catch (NumberFormatException notOne) {
      return otherwise;
    }
  }

  private static byte[] ascii(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
