package io.metaq.store.inspect;

import io.metaq.codec.store.QueueEndsText.Range;
import io.metaq.codec.store.QueueUnit;
import io.metaq.model.OwnedBy;
import io.metaq.store.FileNames;
import io.metaq.store.inspect.QueueInspector.Queue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** Compares every unit of a consume queue with the record it points to, and the queue's extent with the messages in the log. */
@OwnedBy("whoever inspects")
final class UnitInspector {
  private static final String UNNOTICED =
      "does not notice; move the queue's folder away while the broker is stopped, and it is made again from the log";

  /** A write that was met half done is done by then. So it is few times; what is damaged can be so in many places. */
  private static final long WRITTEN_WITHIN_NS = 20_000_000;
  private static final int MOST_SECOND_LOOKS = 50;

  private final StoreState state;
  private final Findings findings;
  private final int fileSize;
  private final ByteBuffer unit = ByteBuffer.allocate(QueueUnit.SIZE);
  private long checked;
  private int secondLooks;

  // The queue at hand.
  private Queue queue;
  private QueueTally tally;
  private long notedNext;
  private long end;
  private boolean leading;
  private long fillers;

  // Units in a row that are not written though they should be.
  private long emptyFrom = -1;
  private Path emptyPath;
  private int emptyAt;

  UnitInspector(StoreState state, Findings findings) {
    this.state = state;
    this.findings = findings;
    this.fileSize = state.options().queueFileSize();
  }

  /** Units that were compared so far. */
  long checked() {
    return checked;
  }

  void inspect(Queue inspected) throws IOException {
    queue = inspected;
    tally = state.tally(queue.topic(), queue.queueId());
    Optional<Range> noted = state.noted().map(ends -> ends.queues().getOrDefault(queue.topic(), Map.of()).get(queue.queueId()));
    notedNext = noted.map(Range::next).orElse(0L);
    end = Math.max(tally.next(), notedNext);
    leading = true;
    fillers = 0;
    long firstWanted = Math.max(tally.first(), noted.map(Range::first).orElse(0L));
    if (queue.starts().isEmpty()) {
      if (end > firstWanted && tally.first() >= 0) {
        lost(queue.folder(), "has no file, though the log has messages " + tally.first() + " to " + (tally.next() - 1),
            tally.first());
      }
      return;
    }
    long firstUnit = queue.starts().get(0) / QueueUnit.SIZE;
    if (tally.first() >= 0 && firstUnit > firstWanted) {
      lost(queue.folder(), "has lost its first file: it begins with message " + firstUnit + ", the log with " + firstWanted,
          firstWanted);
    }
    long nextUnit = firstUnit;
    for (long start : queue.starts()) {
      nextUnit = readFile(start);
    }
    closeGap(nextUnit);
    if (nextUnit < end) {
      lost(queue.folder(), "ends with message " + (nextUnit - 1) + ", the log with " + (end - 1), nextUnit);
    }
    if (fillers > tally.missing()) {
      findings.damage(Area.CONSUME_QUEUES, queue.folder(), Finding.WHOLE_FILE,
          fillers + " units stand for no message, but only " + tally.missing() + " messages are missing in the log", UNNOTICED);
    }
  }

  /** Tells of units that have no file, the first of them {@code from}. */
  private void lost(Path path, String what, long from) {
    boolean underway = !state.cleanExit() && from >= notedNext;
    findings.add(Area.CONSUME_QUEUES, underway ? Finding.Severity.REMARK : Finding.Severity.DAMAGE, path, Finding.WHOLE_FILE, what,
        underway ? "derives them from the log" : "makes the queue again from the log");
  }

  /** Returns the number behind the last unit the file has room for. */
  private long readFile(long start) throws IOException {
    Path path = queue.folder().resolve(FileNames.ofStart(start));
    ByteBuffer bytes = LogFile.map(path, fileSize);
    long first = start / QueueUnit.SIZE;
    int count = bytes.capacity() / QueueUnit.SIZE;
    for (int i = 0; i < count; i++) {
      unit(path, bytes, i * QueueUnit.SIZE, first + i);
    }
    return first + count;
  }

  private void unit(Path path, ByteBuffer bytes, int at, long number) {
    readWhole(bytes, at);
    if (UnitCheck.isUnused(unit)) {
      empty(path, at, number);
      return;
    }
    closeGap(number);
    if (unit.getInt(QueueUnit.RECORD_SIZE) == QueueUnit.FILLER_SIZE) {
      fillers += leading ? 0 : 1;
      return;
    }
    checked++;
    boolean underway = !state.cleanExit() && number >= notedNext;
    if (underway && isBehindTheLog()) {
      return;
    }
    leading = false;
    Optional<String> wrong = wrong(number);
    if (wrong.isPresent() && underway && secondLooks++ < MOST_SECOND_LOOKS) {
      // A broker at work may be writing it, page by page.
      LockSupport.parkNanos(WRITTEN_WITHIN_NS);
      readWhole(bytes, at);
      wrong = isBehindTheLog() ? Optional.empty() : wrong(number);
    }
    wrong.ifPresent(what -> findings.damage(Area.CONSUME_QUEUES, path, at, "unit " + number + " " + what, UNNOTICED));
  }

  /** Reads the unit until it is the same twice: a broker at work may be writing it, and then it is met in parts. */
  private void readWhole(ByteBuffer bytes, int at) {
    do {
      bytes.get(at, unit.array());
    } while (unit.mismatch(bytes.slice(at, QueueUnit.SIZE)) >= 0);
  }

  private void empty(Path path, int at, long number) {
    if (number < end && emptyFrom < 0) {
      emptyFrom = number;
      emptyPath = path;
      emptyAt = at;
    } else if (number >= end) {
      closeGap(number);
    }
  }

  /** Tells of units that are not written, now that it is known how many they are. */
  private void closeGap(long next) {
    if (emptyFrom < 0) {
      return;
    }
    long from = emptyFrom;
    emptyFrom = -1;
    String which = from == next - 1 ? "unit " + from + " is" : "units " + from + " to " + (next - 1) + " are";
    boolean underway = !state.cleanExit() && from >= notedNext;
    if (underway) {
      findings.remark(Area.CONSUME_QUEUES, emptyPath, emptyAt, which + " not written yet", "derives them from the log");
    } else {
      findings.damage(Area.CONSUME_QUEUES, emptyPath, emptyAt, which + " not written, though the messages were",
          next >= end ? "makes the queue again from the log" : UNNOTICED);
    }
  }

  /** Written after the log was read, by a broker at work; or of messages that a crash has taken, and recovery cuts it. */
  private boolean isBehindTheLog() {
    return unit.getLong(QueueUnit.PHY_OFFSET) >= state.log().end();
  }

  /** What is wrong with the unit that was read; empty when it says what its record does. */
  private Optional<String> wrong(long number) {
    long phyOffset = unit.getLong(QueueUnit.PHY_OFFSET);
    if (phyOffset >= 0 && phyOffset < state.log().first() && (tally.first() < 0 || number < tally.first())) {
      // Its record went with an old file of the log.
      return Optional.empty();
    }
    return UnitCheck.wrong(queue.topic(), queue.queueId(), number, unit, state.log());
  }
}
