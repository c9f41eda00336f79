package io.metaq.broker;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The properties of one message on its way in: found out in one walk what the broker must know of them, and written as they will be
 * stored. Reused for every send.
 */
@OwnedBy("its event loop")
final class SendProperties {
  private static final byte[] WAIT = name(PropertyNames.WAIT);
  private static final byte[] DELAY = name(PropertyNames.DELAY);
  private static final byte[] TRAN_MSG = name(PropertyNames.TRAN_MSG);
  private static final byte[] UNIQ_KEY = name(PropertyNames.UNIQ_KEY);
  private static final byte[] POP_CK = name(PropertyNames.POP_CK);
  private static final byte[] MSG_REGION = name(PropertyNames.MSG_REGION);
  private static final byte[] TRACE_ON = name(PropertyNames.TRACE_ON);
  private static final byte[] CLUSTER = name(PropertyNames.CLUSTER);
  private static final byte[] TIMER_DELAY_SEC = name(PropertyNames.TIMER_DELAY_SEC);
  private static final byte[] TIMER_DELAY_MS = name(PropertyNames.TIMER_DELAY_MS);
  private static final byte[] TIMER_DELIVER_MS = name(PropertyNames.TIMER_DELIVER_MS);
  private static final byte[] TIMER_OUT_MS = name(PropertyNames.TIMER_OUT_MS);
  private static final byte[] TIMER_DEL_UNIQKEY = name(PropertyNames.TIMER_DEL_UNIQKEY);
  private static final byte[] TRANSACTION_ID = name(PropertyNames.TRANSACTION_ID);
  private static final byte[] CHECK_TIMES = name(PropertyNames.TRANSACTION_CHECK_TIMES);
  private static final byte[] FIRST_HALF = name(PropertyNames.TRAN_PREPARED_QUEUE_OFFSET);
  private static final byte[] TRUE = name("true");
  private static final byte[] FALSE = name("false");

  /** An array grown beyond this, by properties that were refused, is not kept. */
  private static final int KEPT_BYTES = 64 * 1024;

  private final PropertyCursor cursor = new PropertyCursor();
  private byte[] text = new byte[1024];
  private int length;
  private boolean waits;
  private boolean half;
  private boolean fired;
  private boolean recalls;
  private String delaySeconds;
  private String delayMs;
  private String deliverMs;
  private boolean uniqueKey;
  private String delay;

  /** Reads the properties of a message, and keeps what will be stored of them. */
  void read(byte[] from, int start, int size) {
    forget();
    if (text.length > KEPT_BYTES && size < KEPT_BYTES) {
      text = new byte[KEPT_BYTES];
    }
    ensure(size + 1);
    cursor.over(from, start, size);
    int copied = start;
    while (cursor.next()) {
      if (dropped()) {
        keep(from, copied, cursor.entryStart());
        copied = cursor.entryEnd();
      }
    }
    keep(from, copied, start + size);
    if (length > 0 && text[length - 1] != PropertiesText.ENTRY_END) {
      text[length++] = PropertiesText.ENTRY_END;
    }
  }

  /** Reads the properties of a message that are stored as they are; keeps nothing of them. */
  void look(byte[] from, int start, int size) {
    forget();
    cursor.over(from, start, size);
    while (cursor.next()) {
      dropped();
    }
  }

  private void forget() {
    waits = true;
    half = false;
    fired = false;
    recalls = false;
    delaySeconds = null;
    delayMs = null;
    deliverMs = null;
    uniqueKey = false;
    delay = null;
    length = 0;
  }

  /** Looks at the current entry; true when it is not to be stored. */
  private boolean dropped() {
    switch (cursor.nameFirst()) {
      case 'W':
        if (cursor.nameIs(WAIT)) {
          waits = !cursor.valueIs(FALSE);
        }
        return false;
      case 'U':
        uniqueKey |= cursor.nameIs(UNIQ_KEY);
        return false;
      case 'D':
        if (cursor.nameIs(DELAY)) {
          delay = cursor.value();
        }
        return false;
      case 'T':
        if (cursor.nameIs(TRAN_MSG)) {
          half = cursor.valueIs(TRUE);
        }
        readTimer();
        return cursor.nameIs(TRACE_ON);
      case 'P':
        return cursor.nameIs(POP_CK);
      case 'M':
        return cursor.nameIs(MSG_REGION);
      case 'C':
        return cursor.nameIs(CLUSTER);
      case '_':
        return cursor.name().startsWith("__RMQ.TRANSIENT.");
      default:
        return false;
    }
  }

  private void readTimer() {
    if (cursor.nameIs(TIMER_DELAY_SEC)) {
      delaySeconds = cursor.value();
    } else if (cursor.nameIs(TIMER_DELAY_MS)) {
      delayMs = cursor.value();
    } else if (cursor.nameIs(TIMER_DELIVER_MS)) {
      deliverMs = cursor.value();
    } else {
      fired |= cursor.nameIs(TIMER_OUT_MS);
      recalls |= cursor.nameIs(TIMER_DEL_UNIQKEY);
    }
  }

  /** Leaves out at what time the producer wants it delivered, because a delay level goes before. */
  void withoutTimer() {
    int kept = 0;
    cursor.over(text, 0, length);
    while (cursor.next()) {
      if (!cursor.nameIs(TIMER_DELAY_SEC) && !cursor.nameIs(TIMER_DELAY_MS) && !cursor.nameIs(TIMER_DELIVER_MS)) {
        int entry = cursor.entryEnd() - cursor.entryStart();
        System.arraycopy(text, cursor.entryStart(), text, kept, entry);
        kept += entry;
      }
    }
    length = kept;
  }

  /** The unique key, empty when there is none. */
  String uniqueKey() {
    cursor.over(text, 0, length);
    while (cursor.next()) {
      if (cursor.nameIs(UNIQ_KEY)) {
        return cursor.value();
      }
    }
    return "";
  }

  /**
   * Leaves out what only the broker says of a half message: its transaction, how often its producer was asked, which one it is a copy
   * of. A producer sends such entries when it passes on a message that it got.
   *
   * @return the unique key, empty when there is none
   */
  String forHalfMessage() {
    String key = "";
    int kept = 0;
    cursor.over(text, 0, length);
    while (cursor.next()) {
      if (cursor.nameIs(UNIQ_KEY)) {
        key = cursor.value();
      }
      if (!cursor.nameIs(TRANSACTION_ID) && !cursor.nameIs(CHECK_TIMES) && !cursor.nameIs(FIRST_HALF)) {
        int entry = cursor.entryEnd() - cursor.entryStart();
        System.arraycopy(text, cursor.entryStart(), text, kept, entry);
        kept += entry;
      }
    }
    length = kept;
    return key;
  }

  /** Appends a whole entry, both separators included. */
  void append(byte[] entry) {
    ensure(entry.length);
    System.arraycopy(entry, 0, text, length, entry.length);
    length += entry.length;
  }

  /** What will be stored; valid from 0 to {@link #length()}. */
  byte[] text() {
    return text;
  }

  int length() {
    return length;
  }

  /** Whether the producer wants the answer only after flush and replica. */
  boolean waits() {
    return waits;
  }

  /** Whether it is a half message of a transaction. */
  boolean half() {
    return half;
  }

  /** Whether it asks for delivery at a time, and was not delivered at one already: its consumer may pass it on as it got it. */
  boolean timer() {
    return !fired && (delaySeconds != null || delayMs != null || deliverMs != null);
  }

  /** TIMER_DELAY_SEC as the producer wrote it, null when there is none. */
  String delaySeconds() {
    return delaySeconds;
  }

  /** TIMER_DELAY_MS as the producer wrote it, null when there is none. */
  String delayMs() {
    return delayMs;
  }

  /** TIMER_DELIVER_MS as the producer wrote it, null when there is none. */
  String deliverMs() {
    return deliverMs;
  }

  /** Whether it takes another message back that waits for its time. */
  boolean recalls() {
    return recalls;
  }

  boolean hasUniqueKey() {
    return uniqueKey;
  }

  /** The delay level as the producer wrote it, null when there is none. */
  String delay() {
    return delay;
  }

  private void keep(byte[] from, int start, int end) {
    System.arraycopy(from, start, text, length, end - start);
    length += end - start;
  }

  private void ensure(int more) {
    if (length + more > text.length) {
      text = Arrays.copyOf(text, Math.max(text.length * 2, length + more));
    }
  }

  private static byte[] name(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }
}
