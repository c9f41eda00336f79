package io.metaq.replication;

import io.metaq.bus.ReplicaPeer;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.net.ByteStream;
import io.metaq.store.StoreView;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * A slave's connection to its master: takes the log piece by piece, and reports how far this slave has it: what is appended under
 * ASYNC_FLUSH, what is on the disk under SYNC_FLUSH, whole records only.
 */
@OwnedBy("FollowerVerticle")
final class MasterSession implements ByteStream.Listener, TransferReader.Sink {
  private final ByteStream stream;
  private final PiecePipe pipe;
  private final StoreView store;
  private final ReplicationOptions options;
  private final Clock clock;
  private final Runnable ended;
  private final TransferReader reader = new TransferReader(this);
  private final ByteBuffer report = ByteBuffer.allocate(TransferHeader.REPORT_SIZE);

  private ByteRate rate;
  private CatchUp catchUp;
  private String fault = "";
  private boolean fruitful;
  private boolean reading = true;
  private long reported = -1;
  private long lastReadNs;
  private long lastReportNs;
  private long quietSinceNs;

  /** @param ended called once, when the connection is gone */
  MasterSession(ByteStream stream, PiecePipe pipe, StoreView store, ReplicationOptions options, Clock clock, Runnable ended) {
    this.stream = stream;
    this.pipe = pipe;
    this.store = store;
    this.options = options;
    this.clock = clock;
    this.ended = ended;
    this.lastReadNs = clock.nanos();
    this.lastReportNs = lastReadNs;
    this.quietSinceNs = lastReadNs;
    this.rate = new ByteRate(lastReadNs, 0);
    this.catchUp = new CatchUp(lastReadNs, 0, 0);
  }

  /** Asks for the log. */
  void begin(Verdict.Follow from) {
    pipe.begin(store.appendedOffset());
    rate = new ByteRate(clock.nanos(), from.next());
    catchUp = new CatchUp(clock.nanos(), from.next(), from.masterEnd());
    if (from.next() > store.appendedOffset()) {
      pipe.put(ByteBuffer.allocate((int) (from.next() - store.appendedOffset())));
    }
    send(from.report());
  }

  @Override
  public void read(ByteBuffer bytes) {
    lastReadNs = clock.nanos();
    if (!reader.read(bytes)) {
      end(fault.isEmpty() ? "it does not speak the HA protocol" : fault);
      return;
    }
    pipe.flush();
    if (reading && pipe.isFull()) {
      reading = false;
      stream.reading(false);
    }
  }

  @Override
  public boolean header(long phyOffset, int bodySize) {
    if (phyOffset != pipe.next()) {
      fault = "it sends the log from " + phyOffset + " on, though " + pipe.next() + " comes next";
      return false;
    }
    fruitful = true;
    return true;
  }

  @Override
  public void body(ByteBuffer part) {
    quietSinceNs = lastReadNs;
    pipe.put(part);
  }

  /** More may be on the disk, and less under way. */
  void progressed() {
    if (store.readableOffset() > reported) {
      send(store.readableOffset());
    }
    if (!reading && pipe.isHalfEmpty()) {
      reading = true;
      stream.reading(true);
    }
  }

  /** Looks after time: signs of life, a master that is silent for too long. */
  void sweep(long nowNs) {
    rate.look(nowNs, pipe.next());
    catchUp.look(nowNs, store.appendedOffset(), rate.bytesPerSecond());
    if (reading && nowNs - lastReadNs >= options.silenceMs() * 1_000_000) {
      end("it sent nothing for " + options.silenceMs() + " ms");
    } else if (nowNs - lastReportNs >= options.heartbeatMs() * 1_000_000) {
      send(store.readableOffset());
    }
  }

  /**
   * Whether only signs of life came for a while: nothing is written at the master, or it has deleted what comes next, and then it says
   * nothing of it. True once for each such while.
   */
  boolean isQuiet(long nowNs) {
    boolean quiet = reading && nowNs - quietSinceNs >= options.silenceMs() * 1_000_000;
    quietSinceNs = quiet ? nowNs : quietSinceNs;
    return quiet;
  }

  /** Ends it; {@code why} is for people. */
  void end(String why) {
    fault = why;
    stream.close();
  }

  @Override
  public void drained() {
    // Reports are few and small.
  }

  @Override
  public void closed() {
    pipe.drop();
    ended.run();
  }

  ReplicaPeer peer() {
    return new ReplicaPeer(stream.remote(), true, reported, pipe.next(), rate.bytesPerSecond(),
        clock.millis() - (clock.nanos() - lastReadNs) / 1_000_000);
  }

  /** Why it ended, as far as this side knows. */
  String fault() {
    return fault.isEmpty() ? "the connection ended" : fault;
  }

  /** Whether the master sent anything that was right. */
  boolean wasFruitful() {
    return fruitful;
  }

  private void send(long position) {
    report.clear();
    stream.write(report.putLong(position).flip());
    stream.flush();
    reported = Math.max(reported, position);
    lastReportNs = clock.nanos();
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "master %s TRANSFER next=%d acknowledged=%d%s", stream.remote(), pipe.next(), reported, catchUp);
  }
}
