package io.metaq.coordinator;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordEncoder;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.QueueHandle;
import io.metaq.model.Topics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes and reads the records that say which half messages have ended, as RocketMQ does: topic {@code RMQ_SYS_TRANS_OP_HALF_TOPIC},
 * tag {@code d}, and as the body the half queue's offsets in decimal, joined by commas.
 */
@OwnedBy("TransactionVerticle")
final class OpRecords {
  private static final Logger log = LoggerFactory.getLogger(OpRecords.class);

  private static final String SEPARATOR = ",";
  private static final byte[] TOPIC = Topics.HALF_OP.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] TAGS = PropertyNames.TAGS.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENDED = {'d'};
  private static final byte[] PROPERTIES = PropertiesText.entry(PropertyNames.TAGS, "d");

  private final TransactionTable table;
  private final byte[] storeHost;
  private final int maxBytes;
  private final Clock clock;
  private final RecordEncoder encoder;
  private final QueueHandle queue = new QueueHandle(Topics.HALF_OP, StoredTransactions.QUEUE_ID);
  private final RepeatedWarning notStored;

  /**
   * @param storeHost the broker's advertised address as a record has it
   */
  OpRecords(TransactionParts parts, byte[] storeHost) {
    table = parts.table();
    maxBytes = parts.rules().maxOpBytes();
    clock = parts.clock();
    notStored = parts.warning();
    this.storeHost = storeHost.clone();
    encoder = new RecordEncoder(storeHost);
  }

  /** Writes what has ended and is not noted yet into the round, as far as there is room. */
  void fill(AppendRound round) {
    ArrayDeque<Long> unnamed = table.unnamed();
    boolean room = true;
    while (room && !unnamed.isEmpty()) {
      List<Long> offsets = new ArrayList<>();
      byte[] body = take(unnamed, offsets).getBytes(StandardCharsets.US_ASCII);
      room = add(round, body, offsets);
      if (!room) {
        putBack(offsets);
      }
    }
  }

  private String take(ArrayDeque<Long> unnamed, List<Long> offsets) {
    StringBuilder body = new StringBuilder();
    while (!unnamed.isEmpty()) {
      String offset = unnamed.peek() + SEPARATOR;
      if (body.length() > 0 && body.length() + offset.length() > maxBytes) {
        return body.toString();
      }
      body.append(offset);
      offsets.add(unnamed.poll());
    }
    return body.toString();
  }

  private boolean add(AppendRound round, byte[] body, List<Long> offsets) {
    encoder
        .topic(TOPIC, 0, TOPIC.length)
        .properties(PROPERTIES, 0, PROPERTIES.length)
        .body(ByteBuffer.wrap(body))
        .born(storeHost, clock.millis())
        .message(queue.queueId(), 0, 0, 0, 0);
    int size = encoder.size();
    if (!round.batch().reserve(size)) {
      return false;
    }
    encoder.writeTo(round.batch().bytes(), round.batch().end());
    round.batch().add(queue, size);
    round.added((status, detail, phyOffset, queueOffset) -> settled(offsets, status, detail, queueOffset));
    return true;
  }

  private void settled(List<Long> offsets, AppendStatus status, String detail, long queueOffset) {
    if (status == AppendStatus.STORED) {
      table.opStored(queueOffset, highest(offsets));
      return;
    }
    putBack(offsets);
    if (notStored.due()) {
      log.warn("the end of transactions was not noted and will be tried again count={} detail={} suppressed={}",
          offsets.size(), detail, notStored.takeSuppressed());
    }
  }

  private void putBack(List<Long> offsets) {
    for (int i = offsets.size() - 1; i >= 0; i--) {
      table.unnamed().addFirst(offsets.get(i));
    }
  }

  /** The half offsets that a record of the op queue names; what is no number in it, or the whole body under another tag, is passed over. */
  static List<Long> read(ByteBuffer bytes) {
    RecordReader record = new RecordReader().wrap(bytes, 0);
    List<Long> offsets = new ArrayList<>();
    if (hasEndedTag(record)) {
      String body = StandardCharsets.US_ASCII.decode(bytes.slice(record.bodyStart(), record.bodyLength())).toString();
      for (String word : body.split(SEPARATOR)) {
        try {
          offsets.add(Long.parseLong(word.trim()));
        } catch (NumberFormatException notOne) {
          log.warn("an op record names no half message and is passed over phyOffset={} word={}", record.phyOffset(), word);
        }
      }
    }
    return offsets;
  }

  /** The greatest of some offsets; -1 of none. */
  static long highest(List<Long> offsets) {
    return offsets.stream().mapToLong(Long::longValue).max().orElse(-1);
  }

  private static boolean hasEndedTag(RecordReader record) {
    byte[] text = new byte[record.propertiesLength()];
    record.bytes().get(record.propertiesStart(), text, 0, text.length);
    PropertyCursor cursor = new PropertyCursor();
    cursor.over(text, 0, text.length);
    while (cursor.next()) {
      if (cursor.nameIs(TAGS)) {
        return cursor.valueIs(ENDED);
      }
    }
    return false;
  }
}
