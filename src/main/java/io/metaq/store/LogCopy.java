package io.metaq.store;

import io.metaq.codec.record.RecordCheck;
import io.metaq.codec.record.RecordLayout;
import io.metaq.codec.record.RecordReader;
import io.metaq.model.Confined;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The append side of the log on a slave, in place of {@link CommitLog#append}: takes the master's log piece by piece and writes each
 * byte at the place it has there. Pieces may end anywhere; the log's end moves from record to record, so nobody ever sees half of one.
 *
 * <p>Promises: what becomes readable is a chain of sound records (their checksums are not compared, as TCP and the master's disk have
 * theirs), blank tails of files included, equal to the master's bytes. Anything else is refused and wiped out. Nothing here throws
 * because a disk is full or broken.
 */
@OwnedBy("FollowerVerticle; lent to LogCopyVerticle")
public final class LogCopy {
  private static final Logger log = LoggerFactory.getLogger(LogCopy.class);

  private final Confined confined = new Confined();
  private final CommitLog commitLog;
  private final Segments segments;
  private final Appender appender;
  private final RecordCheck check = new RecordCheck(false);
  private final RecordReader reader = new RecordReader();

  private Segment current;
  /** Behind the last byte taken; what lies above the log's end is the beginning of a record. */
  private long written;
  /** Behind the last whole record. */
  private long whole;
  private long storeTimestamp;
  private int records;
  private boolean failing;

  LogCopy(CommitLog commitLog, Segments segments, Appender appender) {
    this.commitLog = commitLog;
    this.segments = segments;
    this.appender = appender;
    this.whole = commitLog.appendedOffset();
    this.written = whole;
    this.storeTimestamp = commitLog.appendedTimestamp();
  }

  /**
   * Takes a piece: the one behind the piece before, or one that begins at the end of the log, after a new connection. Moves position and
   * limit of {@code bytes}.
   *
   * @param length bytes from 0 on
   * @return why it was not taken, or not whole; empty when all is well
   */
  public Optional<String> append(long phyOffset, ByteBuffer bytes, int length) {
    assert confined.here();
    String refusal = commitLog.refusal();
    if (refusal != null) {
      return Optional.of(refusal);
    }
    if (phyOffset == whole) {
      written = whole;
    } else if (phyOffset != written) {
      return Optional.of("a piece of the log begins at " + phyOffset + ", but the log goes on at " + written);
    }
    records = 0;
    String fault = null;
    try {
      fault = write(phyOffset, bytes, length);
      recovered();
    } catch (IOException | InternalError failure) {
      fault = failed(failure);
    } finally {
      commitLog.copied(whole, storeTimestamp, records);
    }
    return Optional.ofNullable(fault);
  }

  /** Wipes out what is no whole record yet; the master sends it again. */
  public void stop() {
    assert confined.here();
    try {
      wipe();
    } catch (IOException | InternalError failure) {
      log.warn("the beginning of a record could not be wiped out, the next start does phyOffset={}", whole, failure);
    }
  }

  /** Where the log ends: behind the last whole record. */
  public long end() {
    return commitLog.appendedOffset();
  }

  /** Whether the files are there already at this place, so that to write is to copy. */
  public boolean isPrepared(long phyOffset, int length) {
    return appender.isPrepared(phyOffset, phyOffset + length);
  }

  /** The caller lends it to another thread, or has it back from there. */
  public void handOver() {
    commitLog.handOver();
    assert confined.handOver();
  }

  private String write(long phyOffset, ByteBuffer bytes, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (current == null || written < current.start() || written >= current.end()) {
        current = segments.next(written - Math.floorMod(written - segments.first(), (long) segments.segmentSize()));
      }
      int part = (int) Math.min(length - done, current.end() - written);
      appender.write(current, written, bytes, done, part);
      written += part;
      done += part;
      String fault = walk(phyOffset, bytes);
      if (fault != null) {
        wipe();
        return "at " + whole + " the master's log holds no record that could be kept: " + fault;
      }
    }
    return null;
  }

  /**
   * Moves {@link #whole} over every record that is there; returns what is wrong with the bytes behind it, null when nothing is. Reads
   * records in the piece, which is in the processor's cache, where the first look at a page of the mapping costs a fault; only one that
   * began in a piece before is read in the file.
   */
  private String walk(long piecePhyOffset, ByteBuffer piece) {
    while (whole < written) {
      boolean inPiece = whole >= piecePhyOffset;
      ByteBuffer bytes = inPiece ? piece : current.bytes();
      int at = inPiece ? (int) (whole - piecePhyOffset) : current.place(whole);
      int left = (int) (current.end() - whole);
      if (left < RecordLayout.BLANK_SIZE) {
        return skipRest();
      }
      if (written - whole < RecordLayout.BLANK_SIZE) {
        return null;
      }
      int size = bytes.getInt(at);
      int magic = bytes.getInt(at + RecordLayout.MAGIC);
      if (magic == RecordLayout.MAGIC_BLANK) {
        return size == left ? skipRest() : "a blank tail of " + size + " bytes, where " + left
            + " are left in the file (mappedFileSizeCommitLog is " + segments.segmentSize() + " here; is it the master's?)";
      }
      boolean begins = (magic == RecordLayout.MAGIC_V1 || magic == RecordLayout.MAGIC_V2) && size >= RecordLayout.FIXED_SIZE && size <= left;
      if (begins && written - whole < size) {
        return null;
      }
      if (!isRecord(bytes, at, at + (int) (written - whole)) && !isRecord(current.bytes(), current.place(whole), segments.segmentSize())) {
        return check.fault().isEmpty() ? "nothing was ever written there" : check.fault();
      }
      storeTimestamp = reader.wrap(bytes, at).storeTimestamp();
      records++;
      whole += size;
    }
    return null;
  }

  /** In a piece pages do not begin where they do in the file, which counts in a check of zeros: so the file has the last word. */
  private boolean isRecord(ByteBuffer bytes, int at, int limit) {
    return check.check(bytes, at, limit, whole) == RecordCheck.Verdict.RECORD;
  }

  /** The rest of the file belongs to no record, but is the master's like everything else. */
  private String skipRest() {
    whole = written == current.end() ? written : whole;
    return null;
  }

  private void wipe() throws IOException {
    if (written > whole) {
      appender.wipe(current, current.place(whole), (int) (written - whole));
      written = whole;
    }
  }

  private String failed(Throwable failure) {
    // What was written of the failed piece is gone; the rest of the record before it comes again.
    written = whole;
    if (!failing) {
      failing = true;
      log.error("the master's log cannot be written phyOffset={}", whole, failure);
    }
    return "the commit log cannot be written: " + failure;
  }

  private void recovered() {
    if (failing) {
      failing = false;
      log.info("the master's log is written again phyOffset={}", whole);
    }
  }
}
