package io.metaq.store.service;

import io.metaq.bus.BusAddress;
import io.metaq.bus.CopiedPiece;
import io.metaq.bus.LocalBus;
import io.metaq.model.OwnedBy;
import io.metaq.store.LogCopy;
import io.vertx.core.Vertx;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to a slave's log, for the one loop that follows the master. That loop owns the end of the log: it appends a small piece
 * itself where the files are prepared, which is a copy in memory, and lends the log to {@link LogCopyVerticle} for everything that may
 * take longer, until every piece has come back. So there is one writer at a time, and a message that a producer waits for is
 * acknowledged by the thread that read it from the socket.
 */
@OwnedBy("FollowerVerticle")
public final class LogCopyProxy {
  private static final Logger log = LoggerFactory.getLogger(LogCopyProxy.class);
  /** Copied in a few microseconds. What is longer comes while a slave catches up, and belongs on a thread that nobody waits for. */
  static final int MOST_BYTES_HERE = 32 * 1024;

  private final Vertx vertx;
  private final LogCopy copy;
  private final GrowthProxy growth;
  private int lent;

  public LogCopyProxy(Vertx vertx, LogCopy copy, GrowthProxy growth) {
    this.vertx = vertx;
    this.copy = copy;
    this.growth = growth;
  }

  /** Whether {@link #append} may be called for this piece. */
  public boolean takesHere(CopiedPiece piece) {
    return lent == 0 && piece.size() <= MOST_BYTES_HERE && copy.isPrepared(piece.phyOffset(), piece.size());
  }

  /**
   * Appends the piece on the calling loop and sets its outcome, also when a bug or a lack of memory stops it: while a piece is not
   * back, the slave does not connect again. To be followed by {@link #grown}, when the master has been told.
   */
  public void append(CopiedPiece piece) {
    Optional<String> fault;
    try {
      fault = copy.append(piece.phyOffset(), piece.bytes(), piece.size());
    } catch (RuntimeException | Error failure) {
      log.error("a piece of the master's log could not be appended phyOffset={}", piece.phyOffset(), failure);
      fault = Optional.of("the append failed: " + failure);
    }
    piece.outcome(fault, copy.end());
  }

  /** Tells those that follow the log that a piece was appended here. */
  public void grown(int sender, int bytes) {
    growth.grown(1L << sender, bytes);
  }

  /** Gives the piece to the writer; it comes back once, at {@link BusAddress#COPIED}, with its outcome set. */
  public void lend(CopiedPiece piece) {
    if (lent++ == 0) {
      copy.handOver();
    }
    vertx.eventBus().send(BusAddress.COPY, piece, LocalBus.LOCAL);
  }

  /** A piece came back from there. */
  public void returned() {
    if (--lent == 0) {
      copy.handOver();
    }
  }

  /** Nothing is appended here any more. */
  public void close() {
    copy.handOver();
  }
}
