package io.metaq.store;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.store.IndexLayout;
import io.metaq.model.OwnedBy;
import io.metaq.model.RecordFilter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reading side of the store, for any thread: it shows only bytes and units below published offsets. Nothing is copied except by
 * {@link #getCold}; what is handed out holds a reference to its file or memory and must be released.
 *
 * <p>Reading far behind the end of the log may wait for the disk: ask {@link #isHot(String, int, long)} first on an event loop.
 */
public final class StoreView {
  private static final Logger log = LoggerFactory.getLogger(StoreView.class);

  /** What lies so far behind the end of the log is far behind; what is nearer, and came in since the store was opened, is in memory. */
  public static final long FAR_BYTES = 64L << 20;

  /** Most bytes in one answer; the first record is given whatever its size. */
  static final int MAX_TRANSFER_BYTES = 256 * 1024;
  /** Most units looked at in one call, so that a rare tag takes several calls. */
  static final int MAX_SCANNED_UNITS = 800;

  private static final int MOST_ASKED_BYTES = 1 << 20;
  private static final int WINDOW = 64;
  /** Index entries of one hash that are looked at; other keys may share the hash. */
  private static final int MAX_KEY_CANDIDATES = 256;

  private final Segments segments;
  private final ConsumeQueues queues;
  private final Optional<KeyIndex> index;
  private final CommitLog commitLog;
  private final LongSupplier readableOffset;
  private final LongSupplier flushedOffset;
  private final LongSupplier dispatchedOffset;
  private final long hotWindowBytes;
  private final long openedAt;
  private final ReadBuffers readBuffers = new ReadBuffers();
  private final ThreadLocal<UnitWindow> windows = ThreadLocal.withInitial(() -> new UnitWindow(WINDOW));

  StoreView(
      Segments segments,
      ConsumeQueues queues,
      Optional<KeyIndex> index,
      CommitLog commitLog,
      LongSupplier readableOffset,
      LongSupplier flushedOffset,
      LongSupplier dispatchedOffset,
      long hotWindowBytes) {
    this.segments = segments;
    this.queues = queues;
    this.index = index;
    this.commitLog = commitLog;
    this.readableOffset = readableOffset;
    this.flushedOffset = flushedOffset;
    this.dispatchedOffset = dispatchedOffset;
    this.hotWindowBytes = hotWindowBytes;
    this.openedAt = commitLog.appendedOffset();
  }

  /**
   * Reads a queue from an offset on.
   *
   * @param maxMessages most records wanted, at least 1
   * @param maxBytes most bytes wanted; never more than {@value #MAX_TRANSFER_BYTES}, and the first record is given whatever its size
   * @param filter which records pass
   */
  public GetResult get(String topic, int queueId, long queueOffset, int maxMessages, int maxBytes, RecordFilter filter) {
    return get(
        queues.find(topic, queueId), emptyWindow(queueOffset), queueOffset, maxMessages, maxBytes, filter, new SliceBuilder(segments));
  }

  /**
   * As {@link #get}, for a worker that reads far behind: whatever has to come from the disk has come when it returns. What it hands out is a
   * copy, which stays in memory, unless all memory for copies is lent, a record is longer than a piece of it, or the filter judges
   * records, which it does where they lie.
   */
  public GetResult getCold(String topic, int queueId, long queueOffset, int maxMessages, int maxBytes, RecordFilter filter) {
    AnswerBuilder found = filter.judgesRecords()
        ? new SliceBuilder(segments)
        : new CopyBuilder(segments, readableOffset.getAsLong(), readBuffers);
    GetResult result = get(queues.find(topic, queueId), emptyWindow(queueOffset), queueOffset, maxMessages, maxBytes, filter, found);
    try {
      result.slices().forEach(RecordSlice::touch);
    } catch (InternalError unreadable) {
      result.release();
      throw unreadable(unreadable);
    }
    return result;
  }

  /**
   * As {@link #get}, but empty where {@link #isHot(String, int, long)} says no: for event loops. What it looks at to tell is not read
   * once more.
   *
   * @param filter asked for one only when it is read
   */
  public Optional<GetResult> getIfHot(
      String topic, int queueId, long queueOffset, int maxMessages, int maxBytes, Supplier<RecordFilter> filter) {
    ConsumeQueue queue = queues.find(topic, queueId);
    UnitWindow window = emptyWindow(queueOffset);
    return queue == null || isHot(queue, queueOffset, maxMessages, window)
        ? Optional.of(get(queue, window, queueOffset, maxMessages, maxBytes, filter.get(), new SliceBuilder(segments)))
        : Optional.empty();
  }

  private UnitWindow emptyWindow(long queueOffset) {
    UnitWindow window = windows.get();
    window.begin(queueOffset);
    return window;
  }

  /** @param queue null for none; {@code window} is empty, or holds units of this queue from anywhere */
  private GetResult get(
      ConsumeQueue queue, UnitWindow window, long queueOffset, int maxMessages, int maxBytes, RecordFilter filter, AnswerBuilder found) {
    if (queue == null) {
      return GetResult.nothing(GetStatus.NO_MATCHED_LOGIC_QUEUE, 0, 0, 0);
    }
    try {
      long max = queue.end();
      long logFirst = segments.first();
      long min = queue.minOffset(logFirst, window);
      if (max == 0) {
        return GetResult.nothing(GetStatus.NO_MESSAGE_IN_QUEUE, 0, 0, 0);
      }
      if (queueOffset < min) {
        return GetResult.nothing(GetStatus.OFFSET_TOO_SMALL, min, min, max);
      }
      if (queueOffset >= max) {
        return queueOffset == max
            ? GetResult.nothing(GetStatus.OFFSET_OVERFLOW_ONE, queueOffset, min, max)
            : GetResult.nothing(GetStatus.OFFSET_OVERFLOW_BADLY, max, min, max);
      }
      return new Scan(queue, window, queueOffset, logFirst, min, max, found)
          .read(Math.max(1, maxMessages), Math.min(maxBytes, MAX_TRANSFER_BYTES), filter);
    } catch (IOException failure) {
      throw unreadable(queue.topic(), queue.queueId(), failure);
    }
  }

  /** First offset of the queue that can still be read; 0 for an unknown queue. */
  public long minOffset(String topic, int queueId) {
    ConsumeQueue queue = queues.find(topic, queueId);
    if (queue == null) {
      return 0;
    }
    try {
      return queue.minOffset(segments.first(), windows.get());
    } catch (IOException failure) {
      throw unreadable(topic, queueId, failure);
    }
  }

  /** Tells of every queue that got messages since the store was opened; takes time in proportion to the number of all queues. */
  public void counts(QueueVisitor visitor) {
    queues.all().forEach(queue -> queue.count(visitor));
  }

  /**
   * The offset that the next message stored in the queue gets; 0 for an unknown queue. Messages between {@link #maxOffset} and here can
   * be read in a moment. On a slave, which gives no numbers, it stands still.
   */
  public long assignedEnd(String topic, int queueId) {
    return commitLog.nextOffset(topic, queueId);
  }

  /** The next offset of the queue as far as it can be read; 0 for an unknown queue. */
  public long maxOffset(String topic, int queueId) {
    ConsumeQueue queue = queues.find(topic, queueId);
    return queue == null ? 0 : queue.end();
  }

  /**
   * Copies units from {@code from} on into {@code window}; fewer than asked at the end of the queue or of one of its files.
   *
   * @return how many units were copied
   */
  public int readUnits(String topic, int queueId, long from, int max, UnitWindow window) {
    ConsumeQueue queue = queues.find(topic, queueId);
    if (queue == null) {
      window.begin(from);
      return 0;
    }
    readUnits(queue, from, max, window);
    return window.count();
  }

  private static void readUnits(ConsumeQueue queue, long from, int max, UnitWindow window) {
    try {
      queue.read(from, max, window);
    } catch (IOException failure) {
      throw unreadable(queue.topic(), queue.queueId(), failure);
    }
  }

  /** The offset of a message by its store time, within the queue's first and last: see {@link TimeBoundary}. */
  public long offsetByTime(String topic, int queueId, long timestampMs, TimeBoundary boundary) {
    ConsumeQueue queue = queues.find(topic, queueId);
    if (queue == null) {
      return 0;
    }
    long min = minOffset(topic, queueId);
    long max = queue.end();
    boolean lower = boundary == TimeBoundary.LOWER;
    long from = min;
    long to = max;
    while (from < to) {
      long middle = (from + to) >>> 1;
      long time = storeTimeOf(topic, queueId, middle);
      if (time < timestampMs || time == timestampMs && !lower) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return lower ? from : Math.max(min, from - 1);
  }

  /** Store time of the queue's first message, ms; -1 when there is none. */
  public long earliestStoreTime(String topic, int queueId) {
    return storeTimeOf(topic, queueId, minOffset(topic, queueId));
  }

  /** Store time of one message, ms; -1 when it is not there. */
  public long storeTimeOf(String topic, int queueId, long queueOffset) {
    UnitWindow window = windows.get();
    if (readUnits(topic, queueId, queueOffset, 1, window) == 0 || !window.isRecord(0)) {
      return -1;
    }
    Optional<RecordSlice> record = recordAt(window.phyOffset(0));
    if (record.isEmpty()) {
      return -1;
    }
    try {
      ByteBuffer bytes = record.get().bytes();
      return bytes.getLong(RecordLayout.storeTimestamp(bytes.getInt(RecordLayout.SYS_FLAG)));
    } finally {
      record.get().release();
    }
  }

  /** The record that begins at a log position; empty when none does. The caller releases it. */
  public Optional<RecordSlice> recordAt(long phyOffset) {
    if (phyOffset < 0 || phyOffset >= readableOffset.getAsLong()) {
      return Optional.empty();
    }
    Segment segment = segments.retained(phyOffset);
    if (segment == null) {
      return Optional.empty();
    }
    RecordCheck check = new RecordCheck(false);
    boolean isRecord = false;
    try {
      isRecord = check.check(segment.bytes(), segment.place(phyOffset), segment.file().size(), phyOffset) == RecordCheck.Verdict.RECORD;
    } catch (InternalError unreadable) {
      throw unreadable(unreadable);
    } finally {
      if (!isRecord) {
        segment.release();
      }
    }
    return isRecord ? Optional.of(new RecordSlice(segment, phyOffset, check.size())) : Optional.empty();
  }

  /**
   * Messages of a topic that carry a key, newest first: as their unique key or among their keys. The caller releases them.
   *
   * @param beginMs first store time wanted, ms
   * @param endMs last store time wanted, ms
   */
  public List<RecordSlice> byKey(String topic, String key, int max, long beginMs, long endMs, KeyKind kind) {
    List<RecordSlice> found = new ArrayList<>();
    if (index.isEmpty() || max <= 0) {
      return found;
    }
    KeyMatch match = new KeyMatch(topic, key, kind);
    int keyHash = IndexLayout.keyHash(match.indexed().hashCode());
    PhyOffsets places = index.get().query(keyHash, beginMs, endMs, Math.max(max, MAX_KEY_CANDIDATES));
    boolean whole = false;
    try {
      long last = -1;
      for (int i = 0; i < places.count() && found.size() < max; i++) {
        // A record that has the key twice stands in the index twice, one entry after the other.
        if (places.get(i) != last) {
          last = places.get(i);
          matching(last, match, beginMs, endMs).ifPresent(found::add);
        }
      }
      whole = true;
    } finally {
      if (!whole) {
        found.forEach(RecordSlice::release);
      }
    }
    return found;
  }

  /** The record at a log position, when it is what the index was asked for. */
  private Optional<RecordSlice> matching(long phyOffset, KeyMatch match, long beginMs, long endMs) {
    Optional<RecordSlice> record = recordAt(phyOffset);
    boolean wanted = false;
    try {
      wanted = record.isPresent() && match.accepts(record.get().bytes(), beginMs, endMs);
    } finally {
      if (!wanted) {
        record.ifPresent(RecordSlice::release);
      }
    }
    return wanted ? record : Optional.empty();
  }

  /** Store time of the last indexed message, ms; 0 when nothing is indexed. */
  public long indexLastTimestamp() {
    return index.map(KeyIndex::lastTimestamp).orElse(0L);
  }

  /** Log position of the last indexed message; 0 when nothing is indexed. */
  public long indexLastPhyOffset() {
    return Math.max(0, index.map(KeyIndex::lastPhyOffset).orElse(0L));
  }

  /** Log position up to which queues and index have what may be shown. */
  public long dispatchedOffset() {
    return dispatchedOffset.getAsLong();
  }

  /** Log position of the first byte that is still there; 0 while there is none. */
  public long firstOffset() {
    return segments.first();
  }

  /** Log position behind the last byte that may be shown to anybody: appended, under SYNC_FLUSH flushed. */
  public long readableOffset() {
    return readableOffset.getAsLong();
  }

  /** Log position behind the last record that was appended, whether it may be shown or not. */
  public long appendedOffset() {
    return commitLog.appendedOffset();
  }

  /** Log position up to which everything is on the disk. */
  public long flushedOffset() {
    return flushedOffset.getAsLong();
  }

  /**
   * Shows every record between two positions of the log, in order. What lies behind damage is left out up to the end of its file, with a
   * warning. Not for an event loop.
   *
   * @param from where a record or a file begins; what is not there any more is left out
   * @param to at most {@link #readableOffset()}
   */
  public void forEachRecord(long from, long to, RecordVisitor visitor) {
    RecordCheck check = new RecordCheck(false);
    long at = Math.max(from, segments.first());
    while (at < to) {
      Segment segment = segments.retained(at);
      if (segment == null) {
        return;
      }
      try {
        walk(segment, at, to, check, visitor);
        at = segment.end();
      } finally {
        segment.release();
      }
    }
  }

  /** Shows the records of one segment from {@code from}, where one begins, to {@code to} or to its blank tail. */
  private static void walk(Segment segment, long from, long to, RecordCheck check, RecordVisitor visitor) {
    int size = segment.file().size();
    long end = Math.min(to, segment.end());
    long at = from;
    while (at < end) {
      RecordCheck.Verdict verdict = check.check(segment.bytes(), segment.place(at), size, at);
      if (verdict != RecordCheck.Verdict.RECORD) {
        if (verdict == RecordCheck.Verdict.BROKEN) {
          log.warn("the commit log is damaged, the rest of its file is left out phyOffset={} because={}", at, check.fault());
        }
        return;
      }
      visitor.record(segment.bytes(), segment.place(at));
      at += check.size();
    }
  }

  /**
   * The last record of the log; empty when there is none. Walks there from the last indexed one, or from the beginning of a file: not
   * for an event loop. The caller releases it.
   */
  public Optional<RecordSlice> lastRecord() {
    long end = commitLog.appendedOffset();
    long indexed = index.map(KeyIndex::lastPhyOffset).orElse(-1L);
    Optional<RecordSlice> found = indexed >= segments.first() && indexed < end ? lastRecord(indexed, end) : Optional.empty();
    long fileStart = end - Math.floorMod(end - segments.first(), (long) segments.segmentSize());
    while (found.isEmpty() && fileStart >= segments.first() && end > segments.first()) {
      found = lastRecord(fileStart, Math.min(end, fileStart + segments.segmentSize()));
      fileStart -= segments.segmentSize();
    }
    return found;
  }

  /** The last record between {@code from}, where one begins, and {@code to}. */
  private Optional<RecordSlice> lastRecord(long from, long to) {
    LastSeen last = new LastSeen();
    forEachRecord(from, to, last);
    Segment segment = last.phyOffset < 0 ? null : segments.retained(last.phyOffset);
    return segment == null ? Optional.empty() : Optional.of(new RecordSlice(segment, last.phyOffset, last.size));
  }

  /** Bytes of each file of the log. */
  public int logFileSize() {
    return segments.segmentSize();
  }

  /**
   * Bytes of the log from {@code from} to {@code to}, or to the end of the file they lie in; empty when they are not there (any more).
   * The caller releases them.
   *
   * @param to at most {@link #readableOffset()}, above {@code from}
   */
  public Optional<LogRange> range(long from, long to) {
    Segment segment = from < 0 ? null : segments.retained(from);
    return segment == null
        ? Optional.empty()
        : Optional.of(new LogRange(segment, from, (int) (Math.min(to, segment.end()) - from)));
  }

  /** Whether a log position is so near to the end that its page is most likely in memory. */
  public boolean isHot(long phyOffset) {
    return commitLog.appendedOffset() - phyOffset <= hotWindowBytes;
  }

  /**
   * Whether reading the queue from this offset on will most likely not wait for the disk. True too when there is nothing to read, but
   * not while the queue's first offset has to be searched in its files.
   */
  public boolean isHot(String topic, int queueId, long queueOffset) {
    ConsumeQueue queue = queues.find(topic, queueId);
    return queue == null || isHot(queue, queueOffset, 1, windows.get());
  }

  /** Whether a message lies {@link #FAR_BYTES} or more behind the end of the log. Looks at one unit at most, of the queue's last two files. */
  public boolean isFarBehind(String topic, int queueId, long queueOffset) {
    ConsumeQueue queue = queues.find(topic, queueId);
    if (queue == null || queueOffset < 0 || queueOffset >= queue.end()) {
      return false;
    }
    if (queueOffset < queue.farBefore() || mayBeOnDisk(queue, queueOffset)) {
      return true;
    }
    UnitWindow window = windows.get();
    readUnits(queue, queueOffset, 1, window);
    return window.count() > 0 && commitLog.appendedOffset() - window.phyOffset(0) >= FAR_BYTES;
  }

  /** Leaves up to {@code units} units from the offset on in {@code window} where it had to look at them. */
  private boolean isHot(ConsumeQueue queue, long queueOffset, int units, UnitWindow window) {
    if (!queue.knowsMinOffset(segments.first())) {
      return false;
    }
    if (queueOffset >= queue.end() || queueOffset < 0) {
      return true;
    }
    if (mayBeOnDisk(queue, queueOffset)) {
      return false;
    }
    readUnits(queue, queueOffset, Math.max(1, units), window);
    return window.count() == 0 || isHot(window.phyOffset(0)) && isInMemory(window);
  }

  /** Whether to look at the unit may take a read of its file from the disk. */
  private static boolean mayBeOnDisk(ConsumeQueue queue, long queueOffset) {
    return !queue.isInMemory(queueOffset) && queueOffset < queue.nearEnd();
  }

  /** Whether the log is in memory where the window's units point to, so far as that is asked for in one go. */
  private boolean isInMemory(UnitWindow window) {
    long from = window.phyOffset(0);
    if (from >= Math.max(openedAt, commitLog.appendedOffset() - FAR_BYTES)) {
      return true;
    }
    int last = window.count() - 1;
    long to = Math.max(from + 1, Math.min(from + MOST_ASKED_BYTES, window.phyOffset(last) + window.size(last)));
    Optional<LogRange> range = range(from, to);
    boolean loaded = range.isEmpty() || range.get().isLoaded();
    range.ifPresent(LogRange::release);
    return loaded;
  }

  private static StoreException unreadable(String topic, int queueId, IOException failure) {
    return new StoreException("the consume queue " + topic + "/" + queueId + " cannot be read: " + failure.getMessage(), failure);
  }

  /** @param failure what the JDK makes of a page of a mapped file that the disk does not give */
  private static StoreException unreadable(InternalError failure) {
    return new StoreException("the commit log cannot be read: " + failure.getMessage(), failure);
  }

  /** Remembers the record that it was shown last. */
  @OwnedBy("the call that walks")
  private static final class LastSeen implements RecordVisitor {
    private long phyOffset = -1;
    private int size;

    @Override
    public void record(ByteBuffer bytes, int place) {
      phyOffset = bytes.getLong(place + RecordLayout.PHY_OFFSET);
      size = bytes.getInt(place + RecordLayout.TOTAL_SIZE);
    }
  }

  /** One walk over the units of a queue. */
  @OwnedBy("the call that made it")
  private final class Scan {
    private final ConsumeQueue queue;
    private final UnitWindow window;
    private final long logFirst;
    private final long min;
    private final long max;
    private AnswerBuilder found;
    private long at;
    private boolean removed;

    Scan(ConsumeQueue queue, UnitWindow window, long queueOffset, long logFirst, long min, long max, AnswerBuilder found) {
      this.queue = queue;
      this.window = window;
      this.at = queueOffset;
      this.logFirst = logFirst;
      this.min = min;
      this.max = max;
      this.found = found;
    }

    GetResult read(int maxMessages, int maxBytes, RecordFilter filter) throws IOException {
      try {
        walk(maxMessages, maxBytes, filter);
      } catch (IOException | RuntimeException | Error failure) {
        found.discard();
        throw failure;
      }
      if (found.count() > 0) {
        return new GetResult(GetStatus.FOUND, at, min, max, found.slices(), found.count(), found.bytes());
      }
      found.discard();
      if (window.count() == 0) {
        return GetResult.nothing(GetStatus.OFFSET_FOUND_NULL, queue.nextFile(at), min, max);
      }
      return GetResult.nothing(removed ? GetStatus.MESSAGE_WAS_REMOVING : GetStatus.NO_MATCHED_MESSAGE, at, min, max);
    }

    private void walk(int maxMessages, int maxBytes, RecordFilter filter) throws IOException {
      long scanEnd = Math.min(max, at + Math.max(MAX_SCANNED_UNITS, maxMessages));
      int units = maxMessages;
      boolean more = true;
      while (more && at < scanEnd) {
        if (window.count() == 0 || window.first() != at) {
          queue.read(at, (int) Math.min(scanEnd - at, units), window);
        }
        more = window.count() > 0 && take(maxMessages, maxBytes, filter) && found.count() < maxMessages;
        units = WINDOW;
      }
    }

    /** Takes what passes from the window; false when the answer is full, the filter tired, or what comes next damaged. */
    private boolean take(int maxMessages, int maxBytes, RecordFilter filter) {
      for (int i = 0; i < window.count(); i++) {
        if (window.size(i) <= 0) {
          return stopInFrontOf(i);
        }
        if (window.isRecord(i) && filter.admits(window.tagsCode(i))) {
          int size = window.size(i);
          if (found.count() == maxMessages || found.count() > 0 && found.bytes() + size > maxBytes || filter.tired()) {
            return false;
          }
          AnswerBuilder.Added added = add(window.phyOffset(i), size, filter);
          if (added == AnswerBuilder.Added.NO_ROOM) {
            return false;
          }
          if (added == AnswerBuilder.Added.NO_RECORD || added == AnswerBuilder.Added.GONE && segments.first() == logFirst) {
            return stopInFrontOf(i);
          }
          removed |= added == AnswerBuilder.Added.GONE;
        }
        at++;
      }
      return true;
    }

    private AnswerBuilder.Added add(long phyOffset, int size, RecordFilter filter) {
      AnswerBuilder.Added added = found.add(phyOffset, size, filter);
      if (added == AnswerBuilder.Added.NO_ROOM && found.count() == 0) {
        found.discard();
        found = new SliceBuilder(segments);
        added = found.add(phyOffset, size, filter);
      }
      return added;
    }

    /** What was found before is answered; whoever asks for the damaged one itself is told. Stepping over it is a decision of people. */
    private boolean stopInFrontOf(int i) {
      if (found.count() > 0) {
        return false;
      }
      throw new StoreException("message " + at + " of queue " + queue.topic() + "/" + queue.queueId() + " cannot be read: no record of "
          + window.size(i) + " bytes stands at position " + window.phyOffset(i) + " of the commit log, so the log or the queue is damaged;"
          + " metaq verify tells where, and a consumer gets past it by an offset behind it");
    }
  }
}
