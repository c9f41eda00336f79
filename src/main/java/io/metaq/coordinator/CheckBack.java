package io.metaq.coordinator;

import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.remoting.MessageIds;
import io.metaq.coordinator.TransactionLog.Queue;
import io.metaq.coordinator.api.CheckTransaction;
import io.metaq.model.AppendStatus;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.SharedBytes;
import io.metaq.store.StoreException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks producers about transactions that have waited too long, in rounds over the half queue. A question first stores a newer copy of
 * the half message, which counts it, and goes out with that copy's places. Who cannot be asked waits uncounted; what was asked for
 * often enough, is too old or can never be delivered is given up, loudly, with a copy kept under {@code TRANS_CHECK_MAX_TIME_TOPIC}.
 * Each half message is looked at by itself: none holds up the others.
 */
@OwnedBy("TransactionVerticle")
final class CheckBack {
  /** Half messages looked at before others get their turn. */
  static final int LOOKS_PER_FILL = 256;

  private static final Logger log = LoggerFactory.getLogger(CheckBack.class);

  /** What others are to do. */
  interface Listener {
    /** Take a question to the loop that has the producer's connection. */
    void ask(ClientConnection producer, CheckTransaction question);

    /** Something is kept under {@code TRANS_CHECK_MAX_TIME_TOPIC}: see that the topic is there. */
    void givenUp();
  }

  private final TransactionLog store;
  private final TransactionTable table;
  private final HalfMessage half;
  private final CommittedCopies committed;
  private final TransactionRules rules;
  private final MessageIds ids;
  private final Clock clock;
  private final Listener listener;
  private final Map<String, Integer> turns = new HashMap<>();
  private final RepeatedWarning notStored;
  private final RepeatedWarning nobodyThere;

  private LiveProducers producers = new LiveProducers(Map.of());
  private long cursor;
  private long roundEnd;
  private long roundStartMs;

  CheckBack(TransactionParts parts, Listener listener) {
    store = parts.store();
    table = parts.table();
    half = parts.half();
    committed = parts.committed();
    rules = parts.rules();
    ids = parts.ids();
    clock = parts.clock();
    this.listener = listener;
    notStored = parts.warning();
    nobodyThere = parts.warning();
  }

  /** Begins a round over what is stored by now, unless one is under way. */
  void begin(LiveProducers live) {
    if (cursor >= roundEnd) {
      producers = live;
      turns.keySet().retainAll(live.byGroup().keySet());
      cursor = table.nextHalf();
      roundEnd = store.maxOffset(Queue.HALF);
      roundStartMs = clock.millis();
    }
  }

  /** Gives the round under way up. */
  void end() {
    cursor = roundEnd;
  }

  /**
   * Puts the copies of what is to be asked for into the round.
   *
   * @return whether there is more to look at
   */
  boolean fill(AppendRound round) {
    boolean room = true;
    for (int looks = 0; room && looks < LOOKS_PER_FILL; looks++) {
      cursor = table.nextPending(cursor);
      if (cursor >= roundEnd) {
        return false;
      }
      room = look(round, cursor);
      if (room) {
        cursor++;
      }
    }
    return true;
  }

  /** Looks at one half message; false when the round has no room for what it needs. */
  private boolean look(AppendRound round, long queueOffset) {
    Optional<? extends SharedBytes> record;
    try {
      record = store.record(store.place(Queue.HALF, queueOffset));
    } catch (StoreException failure) {
      log.error("the queue of half messages cannot be read, the next round tries again queueOffset={}", queueOffset, failure);
      return true;
    }
    if (record.isEmpty()) {
      log.error("a half message is not there any more, its transaction will never end queueOffset={}", queueOffset);
      table.ended(queueOffset);
      return true;
    }
    try {
      half.read(record.get().bytes());
      return round.holds(half.root()) || look(round);
    } finally {
      record.get().release();
    }
  }

  /** As {@link #look(AppendRound, long)}, at the half message that was read. */
  private boolean look(AppendRound round) {
    String fault = half.fault();
    if (!fault.isEmpty()) {
      return giveUp(round, fault);
    }
    if (table.isRecovered(half.root()) && committed.has(half)) {
      table.ended(half.root());
      return true;
    }
    long ageMs = clock.millis() - half.bornTimestamp();
    if (half.checkTimes() >= rules.maxChecks()) {
      return giveUp(round, "its producer was asked " + half.checkTimes() + " times (transactionCheckMax)");
    }
    if (ageMs > rules.maxAgeMs()) {
      return giveUp(round, "it is older than messages are kept (fileReservedTime)");
    }
    if (half.storeTimestamp() > roundStartMs || ageMs <= half.immunityMs(rules.immunityMs())) {
      return keepNear(round);
    }
    Optional<ClientConnection> producer = producers.pick(half.group(), turns.getOrDefault(half.group(), 0));
    if (producer.isEmpty()) {
      if (nobodyThere.due()) {
        log.warn("transactions wait for a producer of their group to be asked group={} messageId={} ageMs={} suppressed={}",
            half.group(), half.uniqueKey(), ageMs, nobodyThere.takeSuppressed());
      }
      return keepNear(round);
    }
    return ask(round, producer.get());
  }

  private boolean ask(AppendRound round, ClientConnection producer) {
    if (!half.asCopy(half.checkTimes() + 1)) {
      return giveUp(round, "its properties leave no room to count questions");
    }
    Copy copy = new Copy(half.root(), half.uniqueKey());
    boolean added = round.add(half, (status, detail, phyOffset, queueOffset) -> {
      if (copy.stored(status, detail, queueOffset)) {
        copy.ask(producer, phyOffset, queueOffset);
      }
    });
    if (added) {
      turns.merge(half.group(), 1, Integer::sum);
      copy.show();
    }
    return added;
  }

  /** Stores a half message that nobody is asked for anew when it has fallen far behind. */
  private boolean keepNear(AppendRound round) {
    if (roundEnd - half.queueOffset() <= rules.maxSpan()) {
      return true;
    }
    if (!half.asCopy(half.checkTimes())) {
      return giveUp(round, "its properties leave no room to store it anew");
    }
    Copy copy = new Copy(half.root(), half.uniqueKey());
    return round.add(half, (status, detail, phyOffset, queueOffset) -> copy.stored(status, detail, queueOffset));
  }

  private boolean giveUp(AppendRound round, String reason) {
    long root = half.root();
    long queueOffset = half.queueOffset();
    String group = half.group();
    String uniqueKey = half.uniqueKey();
    half.asGivenUp();
    return round.add(half, (status, detail, keptPhyOffset, keptQueueOffset) -> {
      if (status == AppendStatus.STORED || status == AppendStatus.ILLEGAL) {
        log.error("a transaction is given up, its message is not delivered group={} messageId={} halfQueueOffset={} reason={}"
            + " keptPhyOffset={}", group, uniqueKey, queueOffset, reason, status == AppendStatus.STORED ? keptPhyOffset : detail);
        table.ended(root);
        listener.givenUp();
      } else {
        warnNotStored(uniqueKey, detail);
      }
    });
  }

  private void warnNotStored(String uniqueKey, String detail) {
    if (notStored.due()) {
      log.warn("a half message was not stored anew, the next round tries again messageId={} detail={} suppressed={}", uniqueKey, detail,
          notStored.takeSuppressed());
    }
  }

  /** A newer copy on its way into the log. */
  private final class Copy {
    private final long root;
    private final String uniqueKey;
    private String topic;
    private byte[] shown;

    Copy(long root, String uniqueKey) {
      this.root = root;
      this.uniqueKey = uniqueKey;
    }

    /** Keeps what the producer is shown of the copy that {@link #half} has chosen. */
    void show() {
      shown = half.shown();
      topic = half.target().topic();
    }

    boolean stored(AppendStatus status, String detail, long queueOffset) {
      if (status == AppendStatus.STORED) {
        table.renewed(root, queueOffset);
        return true;
      }
      if (status == AppendStatus.ILLEGAL) {
        log.error("a transaction is given up, its half message cannot be stored anew messageId={} detail={}", uniqueKey, detail);
        table.ended(root);
      } else {
        warnNotStored(uniqueKey, detail);
      }
      return false;
    }

    void ask(ClientConnection producer, long phyOffset, long queueOffset) {
      ByteBuffer places = ByteBuffer.wrap(shown);
      places.putLong(RecordLayout.QUEUE_OFFSET, queueOffset);
      places.putLong(RecordLayout.PHY_OFFSET, phyOffset);
      places.putLong(RecordLayout.storeTimestamp(places.getInt(RecordLayout.SYS_FLAG)), clock.millis());
      listener.ask(producer, new CheckTransaction(
          producer.connectionId(), topic, queueOffset, phyOffset, uniqueKey, ids.text(phyOffset), shown));
    }
  }
}
