package io.metaq.replication;

import io.metaq.bus.CopiedPiece;
import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The way of the master's bytes to the writer of the log: gathers them into pieces and counts what is under way.
 *
 * <p>Bound: {@value #MOST_PIECES} pieces with the writer; beyond that it is {@link #isFull}, and takes only what was already read.
 */
@OwnedBy("FollowerVerticle")
final class PiecePipe {
  static final int MOST_PIECES = 8;

  private final int sender;
  private final Consumer<CopiedPiece> writer;
  private final ArrayDeque<CopiedPiece> spare = new ArrayDeque<>();
  private CopiedPiece current;
  private long next;
  private int underWay;

  /** @param writer is given each piece */
  PiecePipe(int sender, Consumer<CopiedPiece> writer) {
    this.sender = sender;
    this.writer = writer;
  }

  /** What comes next belongs at {@code phyOffset}; nothing may be under way. */
  void begin(long phyOffset) {
    if (!isIdle()) {
      throw new IllegalStateException(underWay + " pieces are still with the writer");
    }
    next = phyOffset;
  }

  /** Takes bytes that follow those before. */
  void put(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (current == null) {
        current = spare.isEmpty() ? new CopiedPiece(sender) : spare.pop();
        current.begin(next);
      }
      int before = current.size();
      current.put(bytes);
      next += current.size() - before;
      if (current.isFull()) {
        flush();
      }
    }
  }

  /** Gives the writer what was gathered. */
  void flush() {
    if (current != null) {
      CopiedPiece piece = current;
      current = null;
      underWay++;
      writer.accept(piece);
    }
  }

  /** A piece came back. */
  void returned(CopiedPiece piece) {
    underWay--;
    if (spare.size() < MOST_PIECES) {
      spare.push(piece);
    }
  }

  /** Forgets what the writer does not have yet. */
  void drop() {
    if (current != null) {
      spare.push(current);
      current = null;
    }
  }

  /** Log position of the byte that is to come. */
  long next() {
    return next;
  }

  boolean isFull() {
    return underWay >= MOST_PIECES;
  }

  boolean isHalfEmpty() {
    return underWay <= MOST_PIECES / 2;
  }

  boolean isIdle() {
    return underWay == 0 && current == null;
  }
}
