package io.metaq.bus;

import io.metaq.model.OwnedBy;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A piece of the master's log on its way into the slave's own. Appended by the loop that filled it, or lent to LogCopyVerticle by one
 * bus message and returned once; with its outcome set either way, and reused afterwards.
 *
 * <p>Bound: {@value #CAPACITY} bytes.
 */
@OwnedBy("FollowerVerticle; lent to LogCopyVerticle until it returns")
public final class CopiedPiece {
  public static final int CAPACITY = 256 * 1024;

  private final int sender;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(CAPACITY);
  private long phyOffset;
  private int size;
  private String fault;
  private long appendedOffset;

  /** @param sender hears, at {@link BusAddress#watermark(int)}, when the piece is on the disk, under SYNC_FLUSH */
  public CopiedPiece(int sender) {
    this.sender = sender;
  }

  public int sender() {
    return sender;
  }

  /** Empties it; what is put next belongs at {@code position} of the log. */
  public void begin(long position) {
    phyOffset = position;
    size = 0;
    fault = null;
  }

  /** Takes as much of {@code source} as fits. */
  public void put(ByteBuffer source) {
    int length = Math.min(source.remaining(), CAPACITY - size);
    bytes.put(size, source, source.position(), length);
    source.position(source.position() + length);
    size += length;
  }

  public boolean isFull() {
    return size == CAPACITY;
  }

  public long phyOffset() {
    return phyOffset;
  }

  public int size() {
    return size;
  }

  /** The bytes, from 0 to {@link #size()}. */
  public ByteBuffer bytes() {
    return bytes;
  }

  /** Writer: what became of it; {@code why} is empty when it was taken whole. */
  public void outcome(Optional<String> why, long logEnd) {
    fault = why.orElse(null);
    appendedOffset = logEnd;
  }

  /** Why it was not taken; empty when it was. */
  public Optional<String> fault() {
    return Optional.ofNullable(fault);
  }

  /** Where the log ended behind it: the last whole record. */
  public long appendedOffset() {
    return appendedOffset;
  }
}
