package io.metaq.store;

import io.metaq.codec.record.JavaHash;
import io.metaq.codec.record.PropertyCursor;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.store.IndexLayout;
import io.metaq.codec.store.QueueEndsText.QueueEnds;
import io.metaq.model.Clock;
import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import io.metaq.model.PropertyNames;
import io.metaq.model.SysFlag;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the log record by record and derives the consume queues and the key index from it. What it has passed can be read by
 * consumers. A record whose queue already reaches beyond it is a repeat and changes nothing, so dispatching a range again is harmless.
 *
 * <p>When a derived file cannot be written (full disk) the dispatcher stays where it is and tries again with the next call.
 */
@OwnedBy("DispatchVerticle")
public final class Dispatcher {
  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  private static final byte[] TAGS = PropertyNames.TAGS.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DELAY = PropertyNames.DELAY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] KEYS = PropertyNames.KEYS.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] UNIQ_KEY = PropertyNames.UNIQ_KEY.getBytes(StandardCharsets.US_ASCII);
  private static final int SCRATCH = 64 * 1024;
  private static final long PLAN_EVERY_NS = 5_000_000_000L;
  /** Where a checkpoint takes long until all is forced, the next one is not begun before so many times as long are over. */
  private static final int REST = 2;
  private static final long LONGEST_REST_NS = 60_000_000_000L;
  /** Queues written at once while others wait for messages: some milliseconds. */
  private static final int SLICE_QUEUES = 64;
  /** A checkpoint is in no hurry: behind each slice that it needs, others have the processor and the disk for so many times as long. */
  private static final int SLICE_REST = 3;
  private static final int MAX_LEVEL = 1000;
  /** Filler units take room too: a number so far ahead, beyond what the log can have lost, is none. */
  private static final long MOST_SKIPPED = 1L << 24;
  /** Longest topic with its length, and longest properties with theirs. */
  private static final int MAX_TAIL = 2 * (2 + Short.MAX_VALUE);

  private final Confined confined = new Confined();
  private final Segments segments;
  private final LongSupplier readableOffset;
  private final ConsumeQueues queues;
  private final Optional<KeyIndex> index;
  private final IntToLongFunction delayMs;
  private final long unitMemoryBytes;
  private final Checkpointer checkpointer;
  private final Clock clock;
  private final DispatchTargets targets;
  private final PropertyCursor properties = new PropertyCursor();
  private final byte[] tail = new byte[MAX_TAIL];
  private final ByteBuffer units = ByteBuffer.allocateDirect(SCRATCH);
  private final DispatchWindow window;
  private final List<ConsumeQueue> touched = new ArrayList<>();
  private final List<ConsumeQueue> begun = new ArrayList<>();
  /** Queues with units that may not be in their files, and queues whose files may not be on the disk: few of all there are. */
  private final Set<ConsumeQueue> unwritten = new LinkedHashSet<>();
  private final Set<ConsumeQueue> unforced = new LinkedHashSet<>();

  private int round;
  private long position;
  /** Next numbers of queues without units. */
  private final Map<QueueKey, Long> emptyQueues = new HashMap<>();
  private long dispatchedTimestamp;
  private long lastPlanNs;
  /** How long the last checkpoint took, or takes so far; as of a second ago. */
  private long planTookNs;
  private long sliceRestNs;
  private long plannedOffset = -1;
  /** The checkpoint that queues are being written for, null when none is. */
  private Draft draft;
  /** Queues to be written because their units press for memory. */
  private final Queue<ConsumeQueue> pressing = new ArrayDeque<>();
  private boolean failing;
  private volatile long dispatchedOffset;

  // What was found in the properties of the record at hand.
  private long tagsCode;
  private int uniqueKeyStart;
  private int uniqueKeyLength;
  private int keysStart;
  private int keysLength;
  private int tagStart;
  private int tagLength;

  /**
   * A checkpoint to be: how far queues reached when it was begun, and those that are still to be written.
   *
   * @param ends of {@code queues}, in their order
   */
  private record Draft(
      long position, long timestamp, long indexEnd, List<ConsumeQueue> queues, long[] ends, ArrayDeque<ConsumeQueue> left) {}

  /**
   * A dispatcher that goes on at {@code from}.
   *
   * @param readableOffset end of what may be shown to consumers
   * @param timestamp store time of the last message, ms, for the first checkpoint
   * @param unitMemoryBytes shared by the queues where there are more than files are kept open
   */
  Dispatcher(
      Segments segments,
      LongSupplier readableOffset,
      ConsumeQueues queues,
      Optional<KeyIndex> index,
      IntToLongFunction delayMs,
      long unitMemoryBytes,
      Checkpointer checkpointer,
      Clock clock,
      long from,
      long timestamp) {
    this.segments = segments;
    this.readableOffset = readableOffset;
    this.queues = queues;
    this.index = index;
    this.delayMs = delayMs;
    this.unitMemoryBytes = unitMemoryBytes;
    this.checkpointer = checkpointer;
    this.clock = clock;
    this.window = new DispatchWindow(readableOffset.getAsLong());
    this.lastPlanNs = clock.nanos();
    this.dispatchedTimestamp = timestamp;
    this.targets = new DispatchTargets(queues);
    this.position = from;
    this.dispatchedOffset = from;
    for (ConsumeQueue queue : queues.all()) {
      if (queue.isUnforced()) {
        unforced.add(queue);
      }
    }
  }

  /**
   * Dispatches what is readable, some {@code maxBytes} of the log at most, and tells {@code listener} the queues that got messages.
   *
   * @return whether more is waiting already; false too when a file cannot be written now, then try again with the next tick
   * @throws StoreException when the log holds something that is no record; the position stays in front of it
   */
  public boolean dispatch(int maxBytes, ArrivalListener listener) {
    assert confined.here();
    long readable = readableOffset.getAsLong();
    long limit = Math.min(readable, position + maxBytes);
    round++;
    boolean stuck = false;
    try {
      while (position < limit) {
        dispatchSegment(limit, readable);
      }
      recovered();
    } catch (IOException | InternalError failure) {
      stuck = true;
      failed(failure);
    } finally {
      dispatchedOffset = position;
      tell(listener);
    }
    return !stuck && position < readableOffset.getAsLong();
  }

  /** Log position up to which queues and index are complete. */
  public long dispatchedOffset() {
    return dispatchedOffset;
  }

  /** Whether the readable end of the log is ahead: to ask with each tick, for a dispatch that got stuck is not nudged. */
  public boolean isBehind() {
    return dispatchedOffset < readableOffset.getAsLong();
  }

  /**
   * Writes units to their files that stand in memory only, and now and then plans a checkpoint; each second.
   *
   * <p>Where more queues got messages than files are kept open, a write opens its file and closes it, which costs ten times the write: there
   * a queue waits until its units press for memory, or until the checkpoint that needs them in the file. Many may press in the same
   * second, and that one needs all: they are written in slices, between which messages are dispatched. Those that press are written
   * without a rest between them, for they grow; those of a checkpoint are not.
   *
   * @return whether {@link #writeSlice} is wanted, after {@link #sliceRestMs}
   */
  public boolean flushQueues() {
    assert confined.here();
    boolean many = unwritten.size() > OpenFiles.LIMIT;
    long sincePlanNs = clock.nanos() - lastPlanNs;
    boolean free = draft == null && checkpointer.wantsPlan();
    if (!free) {
      planTookNs = sincePlanNs;
    }
    long restNs = many ? Math.max(PLAN_EVERY_NS, Math.min(LONGEST_REST_NS, REST * planTookNs)) : PLAN_EVERY_NS;
    boolean planned = free && sincePlanNs >= restNs;
    if (many) {
      if (pressing.isEmpty()) {
        int room = Math.min(ConsumeQueue.MAX_RING, UnitRing.room(unitMemoryBytes, unwritten.size()));
        unwritten.stream().filter(queue -> queue.presses(room)).forEach(pressing::add);
      }
      if (planned) {
        draft();
      }
    } else if (writeQueues() && planned) {
      plan();
    }
    queues.openFiles().sweep();
    return slicesLeft();
  }

  /**
   * Writes some of the queues that press, or some of those that the next checkpoint needs in their files, and plans it behind the last;
   * whether there are more.
   */
  public boolean writeSlice() {
    assert confined.here();
    sliceRestNs = 0;
    try {
      if (!pressing.isEmpty()) {
        writeSome(pressing);
      } else if (draft != null) {
        long begunNs = clock.nanos();
        writeSome(draft.left);
        sliceRestNs = SLICE_REST * (clock.nanos() - begunNs);
      }
    } catch (IOException failure) {
      draft = null;
      pressing.clear();
      failed(failure);
      return false;
    }
    if (draft != null && draft.left.isEmpty()) {
      plan(draft);
      draft = null;
    }
    return slicesLeft();
  }

  /** How long to wait before the next slice, ms. */
  public long sliceRestMs() {
    return sliceRestNs / 1_000_000;
  }

  private boolean slicesLeft() {
    return draft != null || !pressing.isEmpty();
  }

  private void writeSome(Queue<ConsumeQueue> left) throws IOException {
    for (int i = 0; i < SLICE_QUEUES && !left.isEmpty(); i++) {
      ConsumeQueue queue = left.element();
      queue.writePending(units);
      unwritten.remove(queue);
      left.remove();
    }
  }

  /** Writes all pending units and plans a checkpoint now; false when a file cannot be written. */
  boolean flushAndPlan() {
    draft = null;
    pressing.clear();
    boolean written = writeQueues();
    if (written) {
      plan();
    }
    return written;
  }

  /**
   * Makes sure that a queue goes on at {@code next} at least, though the log has lost its last messages: a number is never given twice.
   */
  void restoreEnd(String topic, int queueId, long next) {
    ConsumeQueue queue = queues.find(topic, queueId);
    if (queue == null) {
      emptyQueues.put(new QueueKey(topic, queueId), next);
    } else if (queue.end() < next) {
      try {
        skip(queue, next, position);
      } catch (IOException failure) {
        failed(failure);
      }
    }
  }

  private boolean writeQueues() {
    try {
      for (Iterator<ConsumeQueue> left = unwritten.iterator(); left.hasNext(); ) {
        left.next().writePending(units);
        left.remove();
      }
      return true;
    } catch (IOException failure) {
      failed(failure);
      return false;
    }
  }

  private void plan() {
    draft();
    if (draft != null) {
      plan(draft);
      draft = null;
    }
  }

  /** Begins a checkpoint of what is dispatched by now, unless the last one was of that. */
  private void draft() {
    lastPlanNs = clock.nanos();
    planTookNs = 0;
    if (position != plannedOffset) {
      long indexEnd = index.map(KeyIndex::lastPhyOffset).orElse(-1L);
      List<ConsumeQueue> all = List.copyOf(queues.all());
      draft = new Draft(position, dispatchedTimestamp, indexEnd, all, all.stream().mapToLong(ConsumeQueue::end).toArray(),
          new ArrayDeque<>(unwritten));
    }
  }

  /** All that the draft speaks of is in its files; more may be. */
  private void plan(Draft of) {
    // Before the queues' first units are asked for: they may be cleaned while we do.
    QueueEnds ends = new QueueEnds(of.position, queues.cleanedTo(), of.indexEnd, new TreeMap<>());
    emptyQueues.forEach((queue, next) -> ends.put(queue.topic(), queue.queueId(), next, next));
    for (int i = 0; i < of.ends.length; i++) {
      ConsumeQueue queue = of.queues.get(i);
      ends.put(queue.topic(), queue.queueId(), Math.min(queue.firstUnit(), of.ends[i]), of.ends[i]);
    }
    List<UnitFile> files = new ArrayList<>();
    unforced.forEach(queue -> files.addAll(queue.filesToForce()));
    unforced.clear();
    unforced.addAll(unwritten);
    checkpointer.offer(new Checkpointer.Plan(ends, of.timestamp, files,
        index.map(KeyIndex::unforced).orElse(() -> { }), index.map(KeyIndex::wholeTimestamp).orElse(0L)));
    plannedOffset = of.position;
  }

  void handOver() {
    assert confined.handOver();
  }

  private void tell(ArrivalListener listener) {
    for (ConsumeQueue queue : begun) {
      listener.begun(queue.topic(), queue.queueId());
    }
    begun.clear();
    for (ConsumeQueue queue : touched) {
      listener.arrived(queue.topic(), queue.queueId(), queue.end());
    }
    unwritten.addAll(touched);
    unforced.addAll(touched);
    touched.clear();
  }

  /** Dispatches from the position to the end of its segment or to {@code limit}. */
  private void dispatchSegment(long limit, long readable) throws IOException {
    Segment segment = segments.retained(position);
    if (segment == null) {
      throw new StoreException("the commit log has no file with position " + position + ", so its messages cannot be dispatched");
    }
    try {
      long to = Math.min(limit, segment.end());
      window.over(segment, readable);
      while (position < to) {
        position = dispatchRecord(segment, segment.place(position));
      }
    } finally {
      segment.release();
    }
  }

  private StoreException noRecord(long phyOffset) {
    int place = (int) Math.floorMod(phyOffset - segments.first(), (long) segments.segmentSize());
    return new StoreException("no sound record stands at position " + phyOffset + " of the commit log, in its file "
        + FileNames.ofStart(phyOffset - place) + " at " + place + "; dispatch stops in front of it");
  }

  /** Dispatches the record at {@code place} of the segment; returns the log position behind it. */
  private long dispatchRecord(Segment segment, int place) throws IOException {
    long phyOffset = segment.start() + place;
    int left = window.left(place);
    if (left < RecordLayout.BLANK_SIZE) {
      return fillerEnd(segment, phyOffset);
    }
    int at = window.find(place, Math.min(left, RecordLayout.MAX_HEAD));
    int size = window.bytes().getInt(at);
    int magic = window.bytes().getInt(at + RecordLayout.MAGIC);
    if (magic == RecordLayout.MAGIC_BLANK) {
      return fillerEnd(segment, phyOffset);
    }
    if (magic != RecordLayout.MAGIC_V1 && magic != RecordLayout.MAGIC_V2 || size < RecordLayout.FIXED_SIZE || size > left) {
      throw noRecord(phyOffset);
    }
    window.expect(size, phyOffset);
    derive(at, place, size, magic, phyOffset);
    return phyOffset + size;
  }

  /** Behind the filler at the segment's end, which becomes readable as a whole, with the next file's first record. */
  private long fillerEnd(Segment segment, long phyOffset) {
    if (!window.ended()) {
      throw noRecord(phyOffset);
    }
    return segment.end();
  }

  /** Derives from a record whose header may be damaged all the same: the log below the last checkpoint is not checked at a start. */
  private void derive(int at, int place, int size, int magic, long phyOffset) throws IOException {
    ByteBuffer bytes = window.bytes();
    int sysFlag = bytes.getInt(at + RecordLayout.SYS_FLAG);
    int topicStart = RecordLayout.topicLengthSize(magic);
    int room = size - RecordLayout.body(sysFlag) - topicStart - 2;
    int bodyLength = room < 0 ? -1 : bytes.getInt(at + RecordLayout.bodyLength(sysFlag));
    int tailLength = size - RecordLayout.body(sysFlag) - bodyLength;
    int queueId = bytes.getInt(at + RecordLayout.QUEUE_ID);
    if (bodyLength < 0 || bodyLength > room || tailLength > MAX_TAIL
        || bytes.getLong(at + RecordLayout.PHY_OFFSET) != phyOffset || queueId < 0) {
      throw noRecord(phyOffset);
    }
    long queueOffset = bytes.getLong(at + RecordLayout.QUEUE_OFFSET);
    long storeTimestamp = bytes.getLong(at + RecordLayout.storeTimestamp(sysFlag));
    // The head may be gone from the window behind this.
    bytes.get(window.find(place + size - tailLength, tailLength), tail, 0, tailLength);
    int topicEnd = topicStart + (topicStart == 1 ? tail[0] : (tail[0] & 0xFF) << 8 | tail[1] & 0xFF);
    if (topicEnd < topicStart || topicEnd > tailLength - 2
        || ((tail[topicEnd] & 0xFF) << 8 | tail[topicEnd + 1] & 0xFF) != tailLength - topicEnd - 2) {
      throw noRecord(phyOffset);
    }
    DispatchTargets.Target target = targets.find(tail, topicStart, topicEnd, queueId);

    readProperties(topicEnd + 2, tailLength - topicEnd - 2, target, storeTimestamp);
    if (SysFlag.queued(sysFlag)) {
      enqueue(target.queue(), queueOffset, phyOffset, size, tagsCode);
    }
    boolean rolledBack = (sysFlag & SysFlag.TRANSACTION_MASK) == SysFlag.TRANSACTION_ROLLBACK;
    if (index.isPresent() && !rolledBack && index.get().wants(phyOffset)) {
      indexKeys(index.get(), target, phyOffset, storeTimestamp);
    }
    dispatchedTimestamp = storeTimestamp;
  }

  /** Finds the tags code and where keys and tag stand. */
  private void readProperties(int from, int length, DispatchTargets.Target target, long storeTimestamp) {
    tagsCode = 0;
    uniqueKeyLength = 0;
    keysLength = 0;
    tagLength = 0;
    properties.over(tail, from, length);
    while (properties.next()) {
      switch (properties.nameFirst()) {
        case 'T' -> {
          if (properties.nameIs(TAGS)) {
            tagStart = properties.valueStart();
            tagLength = properties.valueLength();
            if (!target.scheduled()) {
              tagsCode = JavaHash.of(tail, tagStart, tagStart + tagLength);
            }
          }
        }
        case 'D' -> {
          if (target.scheduled() && properties.nameIs(DELAY)) {
            tagsCode = deliveryTime(storeTimestamp);
          }
        }
        case 'U' -> {
          if (properties.nameIs(UNIQ_KEY)) {
            uniqueKeyStart = properties.valueStart();
            uniqueKeyLength = properties.valueLength();
          }
        }
        case 'K' -> {
          if (properties.nameIs(KEYS)) {
            keysStart = properties.valueStart();
            keysLength = properties.valueLength();
          }
        }
        default -> { }
      }
    }
  }

  /** Indexes the unique key, then every key of the list, which is split at spaces, and then the tag. */
  private void indexKeys(KeyIndex keys, DispatchTargets.Target target, long phyOffset, long storeTimestamp) throws IOException {
    int hashStart = target.keyHashStart();
    if (uniqueKeyLength > 0) {
      indexKey(keys, hashStart, uniqueKeyStart, uniqueKeyStart + uniqueKeyLength, phyOffset, storeTimestamp);
    }
    int end = keysStart + keysLength;
    int token = keysStart;
    for (int i = keysStart; keysLength > 0 && i <= end; i++) {
      if (i == end || tail[i] == ' ') {
        if (i > token) {
          indexKey(keys, hashStart, token, i, phyOffset, storeTimestamp);
        }
        token = i + 1;
      }
    }
    if (tagLength > 0) {
      indexKey(keys, target.tagHashStart(), tagStart, tagStart + tagLength, phyOffset, storeTimestamp);
    }
  }

  private void indexKey(KeyIndex keys, int hashStart, int from, int to, long phyOffset, long storeTimestamp) throws IOException {
    keys.put(IndexLayout.keyHash(JavaHash.append(hashStart, tail, from, to)), phyOffset, storeTimestamp);
  }

  private void enqueue(ConsumeQueue queue, long queueOffset, long phyOffset, int size, long tagsCode) throws IOException {
    if (queueOffset < queue.end()) {
      return;
    }
    boolean tooFar = queue.end() > 0 && queueOffset - queue.end() > MOST_SKIPPED + phyOffset / RecordLayout.FIXED_SIZE;
    if (tooFar || queueOffset > RecordLayout.MAX_QUEUE_OFFSET) {
      throw noRecord(phyOffset);
    }
    if (queue.end() == 0) {
      begun.add(queue);
    }
    if (queueOffset > queue.end()) {
      skip(queue, queueOffset, phyOffset);
    }
    queue.append(phyOffset, size, tagsCode, units);
    if (queue.touch(round)) {
      touched.add(queue);
    }
  }

  private void skip(ConsumeQueue queue, long queueOffset, long phyOffset) throws IOException {
    if (queue.end() > 0) {
      log.warn("messages are missing in the log, their places in the queue stay empty topic={} queueId={} from={} to={}",
          queue.topic(), queue.queueId(), queue.end(), queueOffset);
    }
    unforced.add(queue);
    queue.skipTo(queueOffset, phyOffset, units);
  }

  /** When a parked message is due, by the level it names; 0 when it names none. */
  private long deliveryTime(long storeTimestamp) {
    int level = 0;
    for (int i = properties.valueStart(); i < properties.valueStart() + properties.valueLength(); i++) {
      if (tail[i] < '0' || tail[i] > '9') {
        return 0;
      }
      level = Math.min(level * 10 + tail[i] - '0', MAX_LEVEL);
    }
    return level > 0 ? storeTimestamp + delayMs.applyAsLong(level) : 0;
  }

  private void failed(Throwable failure) {
    if (!failing) {
      failing = true;
      log.error("the log cannot be read, or consume queues or index cannot be written, messages wait to be dispatched phyOffset={}", position, failure);
    }
  }

  private void recovered() {
    if (failing) {
      failing = false;
      log.info("consume queues and index are written again phyOffset={}", position);
    }
  }
}
