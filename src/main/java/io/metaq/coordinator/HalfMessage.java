package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.DelayLevels;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import io.metaq.model.SysFlag;
import io.metaq.model.TimerMoments;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A stored half message and the records that are made of it: the message its consumers get, a newer copy when its producer is asked
 * again, and the copy that is kept when it is given up. Body, flags, birth and reconsume count stay as they are. Reusable:
 * {@link #read} one, choose a form, then write it.
 */
@OwnedBy("TransactionVerticle")
final class HalfMessage {
  private static final byte[] HALF = ascii(Topics.HALF);
  private static final byte[] REAL_TOPIC = ascii(PropertyNames.REAL_TOPIC);
  private static final byte[] REAL_QUEUE_ID = ascii(PropertyNames.REAL_QID);
  private static final byte[] TRAN_MSG = ascii(PropertyNames.TRAN_MSG);
  private static final byte[] CHECK_TIMES = ascii(PropertyNames.TRANSACTION_CHECK_TIMES);
  private static final byte[] ROOT = ascii(PropertyNames.TRAN_PREPARED_QUEUE_OFFSET);
  private static final byte[] GROUP = ascii(PropertyNames.PGROUP);
  private static final byte[] UNIQUE_KEY = ascii(PropertyNames.UNIQ_KEY);
  private static final byte[] IMMUNITY = ascii(PropertyNames.CHECK_IMMUNITY_TIME_IN_SECONDS);
  private static final byte[] DELAY = ascii(PropertyNames.DELAY);
  private static final byte[] TIMER_DELAY_SEC = ascii(PropertyNames.TIMER_DELAY_SEC);
  private static final byte[] TIMER_DELAY_MS = ascii(PropertyNames.TIMER_DELAY_MS);
  private static final byte[] TIMER_DELIVER_MS = ascii(PropertyNames.TIMER_DELIVER_MS);

  /** Most bytes that the time of delivery adds; a message of RocketMQ's that has no room for them is delivered at once. */
  private static final int OUT_BYTES = 64;

  private static final long SECOND_MS = 1_000;

  private final DelayLevels delays;
  private final RecordReader record = new RecordReader();
  private final RecordEncoder encoder;
  private final PropertyCursor cursor = new PropertyCursor();
  private final byte[] text = new byte[PropertiesText.MAX_BYTES];
  private final byte[] formText = new byte[PropertiesText.MAX_BYTES];
  private final RealTarget real = new RealTarget();

  private int textLength;
  private int formLength;
  private String group;
  private String uniqueKey;
  private long root;
  private long checkTimes;
  private long immunitySeconds;
  private int delayLevel;
  private String timerSeconds;
  private String timerMs;
  private String deliverMs;
  private QueueHandle target;

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  HalfMessage(byte[] storeHost, DelayLevels delays) {
    encoder = new RecordEncoder(storeHost);
    this.delays = delays;
  }

  /** Looks at a sound record, from position 0 of {@code bytes}; they must stay until a form is written. */
  void read(ByteBuffer bytes) {
    record.wrap(bytes, 0);
    textLength = record.propertiesLength();
    bytes.get(record.propertiesStart(), text, 0, textLength);
    group = "";
    uniqueKey = "";
    root = record.queueOffset();
    checkTimes = 0;
    immunitySeconds = -1;
    delayLevel = 0;
    timerSeconds = null;
    timerMs = null;
    deliverMs = null;
    real.clear();
    cursor.over(text, 0, textLength);
    while (cursor.next()) {
      readEntry();
    }
    if (root < 0 || root > record.queueOffset()) {
      root = record.queueOffset();
    }
  }

  private void readEntry() {
    switch (cursor.nameFirst()) {
      case 'R' -> {
        if (cursor.nameIs(REAL_TOPIC)) {
          real.topic(cursor.value());
        } else if (cursor.nameIs(REAL_QUEUE_ID)) {
          real.queueId(cursor.value());
        }
      }
      case 'T' -> {
        if (cursor.nameIs(CHECK_TIMES)) {
          checkTimes = number(cursor.value(), 0);
        } else if (cursor.nameIs(ROOT)) {
          root = number(cursor.value(), root);
        } else if (cursor.nameIs(TIMER_DELAY_SEC)) {
          timerSeconds = cursor.value();
        } else if (cursor.nameIs(TIMER_DELAY_MS)) {
          timerMs = cursor.value();
        } else if (cursor.nameIs(TIMER_DELIVER_MS)) {
          deliverMs = cursor.value();
        }
      }
      case 'P' -> {
        if (cursor.nameIs(GROUP)) {
          group = cursor.value();
        }
      }
      case 'U' -> {
        if (cursor.nameIs(UNIQUE_KEY)) {
          uniqueKey = cursor.value();
        }
      }
      case 'C' -> {
        if (cursor.nameIs(IMMUNITY)) {
          immunitySeconds = number(cursor.value(), -1);
        }
      }
      case 'D' -> {
        if (cursor.nameIs(DELAY)) {
          delayLevel = delays.cap((int) Math.max(0, Math.min(number(cursor.value(), 0), delays.max())));
        }
      }
      default -> { }
    }
  }

  /** Whether the record is a half message at all. */
  boolean isHalf() {
    return record.queueId() == StoredTransactions.QUEUE_ID && record.topicLength() == HALF.length
        && record.bytes().slice(record.topicStart(), HALF.length).equals(ByteBuffer.wrap(HALF));
  }

  /** What keeps it from ever being delivered or asked for, as a clause; empty when nothing does. */
  String fault() {
    return group.isEmpty() ? "it has no property " + PropertyNames.PGROUP + ", so nobody can be asked" : real.fault();
  }

  String group() {
    return group;
  }

  String uniqueKey() {
    return uniqueKey;
  }

  long queueOffset() {
    return record.queueOffset();
  }

  long phyOffset() {
    return record.phyOffset();
  }

  /** Queue offset of the transaction's first half message; its own when it is that. */
  long root() {
    return root;
  }

  /** How often its producer was asked. */
  long checkTimes() {
    return checkTimes;
  }

  long storeTimestamp() {
    return record.storeTimestamp();
  }

  /** When it was made, by its producer's clock, but not after it reached this broker. */
  long bornTimestamp() {
    return Math.min(record.bornTimestamp(), record.storeTimestamp());
  }

  /** Whether the producer set a time of its own before which it is not to be asked. */
  boolean hasOwnImmunity() {
    return immunitySeconds >= 0;
  }

  /** The age before which its producer is not asked, ms. */
  long immunityMs(long defaultMs) {
    return hasOwnImmunity() ? Math.min(immunitySeconds, Long.MAX_VALUE / SECOND_MS) * SECOND_MS : defaultMs;
  }

  /**
   * The topics that the record which a commit stores may be under: that of delayed messages when it has a delay level, that of timers when
   * it wants a time and that had not passed.
   */
  List<String> committedTopics() {
    if (delayLevel > 0) {
      return List.of(Topics.SCHEDULE);
    }
    return wantsTime() ? List.of(Topics.TIMER, real.queue().topic()) : List.of(real.queue().topic());
  }

  private boolean wantsTime() {
    return timerSeconds != null || timerMs != null || deliverMs != null;
  }

  /** When it is due, were it committed now; 0 when at once. What is no number was refused, except where RocketMQ took it. */
  private long dueMs(long nowMs) {
    try {
      boolean timer = wantsTime() && delayLevel == 0 && textLength + OUT_BYTES <= formText.length;
      return timer ? TimerMoments.wanted(timerSeconds, timerMs, deliverMs, nowMs) : 0;
    } catch (NumberFormatException notOne) {
      return 0;
    }
  }

  /** Chooses the form its consumers get, at once or when their time comes; only without {@link #fault()}. */
  void asCommitted(long nowMs) {
    long dueMs = dueMs(nowMs);
    byte[] out = dueMs > nowMs
        ? PropertiesText.entry(PropertyNames.TIMER_OUT_MS, Long.toString(TimerMoments.written(dueMs)))
        : new byte[0];
    boolean delayed = delayLevel > 0 || out.length > 0;
    formLength = 0;
    cursor.over(text, 0, textLength);
    while (cursor.next()) {
      boolean where = cursor.nameIs(REAL_TOPIC) || cursor.nameIs(REAL_QUEUE_ID);
      if (where ? delayed : !cursor.nameIs(TRAN_MSG) && !cursor.nameIs(ROOT)) {
        keepEntry();
      }
    }
    keep(out, 0, out.length);
    int sysFlag = record.sysFlag() & ~SysFlag.TRANSACTION_MASK | SysFlag.TRANSACTION_COMMIT;
    form(committedQueue(out.length > 0), sysFlag, record.phyOffset());
  }

  private QueueHandle committedQueue(boolean timer) {
    if (timer) {
      return real.queue(Topics.TIMER, StoredTimers.QUEUE_ID);
    }
    return delayLevel > 0 ? real.queue(Topics.SCHEDULE, delayLevel - 1) : real.queue();
  }

  /**
   * Chooses the form of a newer copy, whose producer was asked {@code times} times.
   *
   * @return false when it would be longer than a record can be
   */
  boolean asCopy(long times) {
    byte[] count = PropertiesText.entry(PropertyNames.TRANSACTION_CHECK_TIMES, Long.toString(times));
    byte[] first = PropertiesText.entry(PropertyNames.TRAN_PREPARED_QUEUE_OFFSET, Long.toString(root));
    formLength = 0;
    cursor.over(text, 0, textLength);
    while (cursor.next()) {
      if (!cursor.nameIs(CHECK_TIMES) && !cursor.nameIs(ROOT)) {
        keepEntry();
      }
    }
    if (formLength + count.length + first.length > formText.length) {
      return false;
    }
    keep(count, 0, count.length);
    keep(first, 0, first.length);
    form(real.queue(Topics.HALF, StoredTransactions.QUEUE_ID), record.sysFlag(), record.preparedTransactionOffset());
    return true;
  }

  /** Chooses the form that is kept of one that is given up: all properties as they are. */
  void asGivenUp() {
    formLength = textLength;
    System.arraycopy(text, 0, formText, 0, textLength);
    form(real.queue(Topics.TRANS_CHECK_MAX_TIME, 0), record.sysFlag(), record.preparedTransactionOffset());
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

  /** The chosen copy as its producer is shown it: a record of the real topic and queue, with holes for its places. */
  byte[] shown() {
    form(real.queue(), record.sysFlag(), record.preparedTransactionOffset());
    ByteBuffer shown = ByteBuffer.allocate(encoder.size());
    encoder.writeTo(shown, 0);
    return shown.array();
  }

  private void form(QueueHandle queue, int sysFlag, long preparedPhyOffset) {
    target = queue;
    byte[] topic = queue.topic().getBytes(StandardCharsets.UTF_8);
    encoder
        .topic(topic, 0, topic.length)
        .properties(formText, 0, formLength)
        .body(record.bytes().slice(record.bodyStart(), record.bodyLength()))
        .born(record.bornHost(), record.bornTimestamp())
        .message(queue.queueId(), record.flag(), sysFlag, record.reconsumeTimes(), preparedPhyOffset);
  }

  private void keepEntry() {
    keep(text, cursor.entryStart(), cursor.entryEnd());
  }

  private void keep(byte[] from, int start, int end) {
    System.arraycopy(from, start, formText, formLength, end - start);
    formLength += end - start;
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
