package io.metaq.replication;

import io.metaq.bus.ReplicaPeer;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.ByteStream;
import io.metaq.store.LogRange;
import io.vertx.core.Context;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One slave's connection, at its master: sends the log from where the slave asked on, as fast as the slave takes it, and notes how far
 * the slave has it. What it makes us hold is bounded by the stream's limit of unsent bytes.
 */
@OwnedBy("ReplicationVerticle")
final class SlaveSession implements ByteStream.Listener {
  private static final Logger log = LoggerFactory.getLogger(SlaveSession.class);

  /** Where a session stands. */
  enum State {
    /** Connected, and has not asked for anything yet. */
    SILENT,
    /** Gets the log. */
    TRANSFER,
    /** Asked for bytes that are not there any more; gets nothing but signs of life, as Apache RocketMQ does it. */
    TOO_OLD
  }

  private final ByteStream stream;
  private final LogSource source;
  private final ReplicationOptions options;
  private final Context loop;
  private final Clock clock;
  private final SlaveSessions sessions;
  private final ReportReader reports = new ReportReader();
  private final ByteBuffer header = ByteBuffer.allocate(TransferHeader.SIZE);
  private final FlowLimit limit;
  private ByteRate rate;

  private State state = State.SILENT;
  private long next;
  private long acknowledged = -1;
  private long readAheadTo;
  private boolean readingAhead;
  private boolean armed;
  private long lastReadNs;
  private long lastSentNs;

  SlaveSession(ByteStream stream, LogSource source, ReplicationOptions options, Context loop, Clock clock, SlaveSessions sessions) {
    this.stream = stream;
    this.source = source;
    this.options = options;
    this.loop = loop;
    this.clock = clock;
    this.sessions = sessions;
    this.lastReadNs = clock.nanos();
    this.lastSentNs = lastReadNs;
    this.limit = new FlowLimit(options.limitBytesPerS(), lastReadNs);
    this.rate = new ByteRate(lastReadNs, 0);
  }

  /** Position up to which the slave has the log; -1 before its first report. */
  long acknowledged() {
    return acknowledged;
  }

  State state() {
    return state;
  }

  @Override
  public void read(ByteBuffer bytes) {
    lastReadNs = clock.nanos();
    if (!reports.read(bytes)) {
      return;
    }
    if (state == State.SILENT) {
      begin(reports.last());
    } else {
      acknowledge(reports.last());
    }
  }

  private void begin(long wanted) {
    long end = source.end();
    if (wanted == TransferHeader.FROM_FIRST_FILE) {
      next = source.first();
      acknowledged = next;
    } else if (wanted < 0) {
      stream.refuse("asks for the log from the negative position " + wanted + " on");
      return;
    } else if (wanted > end) {
      stream.refuse("asks for the log from " + wanted + " on, which ends at " + end
          + ": a slave that has more than its master, or no slave at all");
      return;
    } else {
      next = wanted == 0 ? source.startOfLastFile() : wanted;
      acknowledged = wanted;
    }
    state = State.TRANSFER;
    rate = new ByteRate(clock.nanos(), next);
    log.info("a slave gets the commit log remote={} from={} end={}", stream.remote(), next, end);
    sessions.changed();
    send();
  }

  private void acknowledge(long reported) {
    if (reported < 0 || reported > next) {
      stream.refuse("acknowledges the log up to " + reported + " and was sent it up to " + next);
    } else if (reported > acknowledged) {
      acknowledged = reported;
      sessions.acknowledged();
    }
  }

  @Override
  public void drained() {
    sendSoon();
  }

  @Override
  public void closed() {
    // One that never asked was no slave, and strangers must not fill the log.
    if (state != State.SILENT) {
      log.info("a slave is gone remote={} state={} acknowledged={}", stream.remote(), state, acknowledged);
    }
    sessions.remove(this);
  }

  /** Sends what is there, as much as the slave takes without being waited for. */
  void send() {
    long nowNs = clock.nanos();
    boolean sent = false;
    while (state == State.TRANSFER && next < source.end() && stream.writable() && limit.allows(nowNs) && inMemory()) {
      Optional<LogRange> range = source.range(next, options.batchBytes());
      if (range.isEmpty()) {
        tooOld();
      } else {
        sendBody(range.get());
        sent = true;
      }
    }
    if (sent) {
      lastSentNs = nowNs;
      stream.flush();
    }
  }

  private void sendBody(LogRange range) {
    int size = range.size();
    boolean asFile = stream.takesFiles() && !source.isWarm(next);
    sendHeader(size);
    if (asFile) {
      stream.writeFile(range);
    } else {
      stream.write(range);
    }
    limit.sent(size);
    next += size;
  }

  private void sendHeader(int bodySize) {
    header.clear();
    stream.write(header.putLong(next).putInt(bodySize).flip());
  }

  /** Whether the next body can be sent without waiting for the disk; has it read ahead when not. */
  private boolean inMemory() {
    if (source.isWarm(next) || next < source.first()) {
      return true;
    }
    if (readAheadTo - next < Math.max(LogSource.AHEAD_BYTES / 2, options.batchBytes()) && !readingAhead) {
      readingAhead = true;
      source.readAhead(Math.max(next, readAheadTo)).onSuccess(read -> {
        readingAhead = false;
        readAheadTo = read;
        sendSoon();
      }).onFailure(failure -> {
        log.error("the commit log cannot be read for a slave remote={} phyOffset={}", stream.remote(), next, failure);
        stream.close();
      });
    }
    return next + options.batchBytes() <= readAheadTo;
  }

  private void tooOld() {
    state = State.TOO_OLD;
    log.warn("a slave wants what this master has deleted and gets nothing until it is begun anew remote={} wanted={} first={}",
        stream.remote(), next, source.first());
    sessions.changed();
  }

  private void sendSoon() {
    if (!armed) {
      armed = true;
      loop.runOnContext(later -> {
        armed = false;
        send();
      });
    }
  }

  /** Looks after time: signs of life, the limit of bytes, a slave that is silent for too long. */
  void sweep(long nowNs) {
    if (nowNs - lastReadNs >= options.silenceMs() * 1_000_000) {
      stream.refuse("reported nothing for " + options.silenceMs() + " ms");
      return;
    }
    send();
    rate.look(nowNs, next);
    if (state != State.SILENT && stream.writable() && nowNs - lastSentNs >= options.heartbeatMs() * 1_000_000) {
      sendHeader(0);
      stream.flush();
      lastSentNs = nowNs;
    }
  }

  /** Whether it has all there is. */
  boolean isUpToDate() {
    return state != State.TRANSFER || acknowledged >= source.end();
  }

  ReplicaPeer peer() {
    return new ReplicaPeer(stream.remote(), state == State.TRANSFER, acknowledged, next, rate.bytesPerSecond(),
        clock.millis() - (clock.nanos() - lastReadNs) / 1_000_000);
  }

  void close() {
    stream.close();
  }

  /** Ends it for the sake of another. */
  void giveWay() {
    stream.refuse("says nothing, and its place is needed");
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "slave %s %s sent=%d acknowledged=%d", stream.remote(), state, next, acknowledged);
  }
}
