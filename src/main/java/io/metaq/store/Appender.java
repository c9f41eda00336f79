package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How bytes get into a file of the log. A few bytes go through the mapping under ASYNC_FLUSH, wherever the preparer has been
 * before: that saves a system call, at the price of a page fault now and then. More go by a positional write, which has no page
 * faults; so do all under SYNC_FLUSH, where a force of the channel after it is the faster way to the disk, and all beyond what is
 * prepared, because a write fails with an exception when the disk is full.
 *
 * <p>A mapped write that fails all the same (the device cannot give the page; the file was shortened by somebody) may leave any
 * part of the bytes in place. The positional write that is tried next overwrites them, and wipes what it cannot write, so a refused
 * record is not met again by recovery.
 */
final class Appender {
  /**
   * Runs of so many bytes are written positionally. On 2 cores (ext4, kernel 6.18) a first touch of a mapped page cost 9 us, a
   * write into a prepared page 0.45 us and the call itself 1 to 2 us.
   */
  private static final int POSITIONAL_FROM = 2048;
  private static final int WIPE = 4096;

  private final PreparedRange prepared;
  private final boolean mayMap;
  /** Made ahead: when it is needed, memory may be short too. */
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(WIPE);

  Appender(PreparedRange prepared, FlushMode mode) {
    this.prepared = prepared;
    this.mayMap = mode == FlushMode.ASYNC_FLUSH;
  }

  /**
   * Writes {@code [from, from + length)} of {@code source} at {@code phyOffset}, which lies in {@code segment}.
   *
   * @throws IOException when it could not be written whole; then nothing of it is left that could pass for a record
   */
  void write(Segment segment, long phyOffset, ByteBuffer source, int from, int length) throws IOException {
    long to = phyOffset + length;
    int at = segment.place(phyOffset);
    boolean few = length >= Integer.BYTES && length < POSITIONAL_FROM;
    if (mayMap && few && prepared.isMappable(phyOffset, to) && map(segment, at, source, from, length)) {
      return;
    }
    prepared.claimForWriter(phyOffset, to);
    try {
      segment.file().write(at, source, from, length);
    } catch (IOException failure) {
      prepared.writerFailed(to);
      wipe(segment, at, length, failure);
      throw failure;
    }
  }

  /** Whether {@code [from, to)} is on the disk already, so that nothing but a copy is to be done. */
  boolean isPrepared(long from, long to) {
    return prepared.isMappable(from, to);
  }

  /**
   * Writes through the mapping; false when a page could not be had. The JDK skips the access then and tells it by an InternalError,
   * often only later, on the way out of some native call: so the bytes are looked at, those in the first page and those in the
   * last, and the error is fetched by such a call. Both pages are all there are, for so few bytes.
   */
  private boolean map(Segment segment, int at, ByteBuffer source, int from, int length) {
    ByteBuffer bytes = segment.bytes();
    int last = length - Integer.BYTES;
    try {
      bytes.put(at, source, from, length);
      if (bytes.getInt(at) == source.getInt(from) && bytes.getInt(at + last) == source.getInt(from + last)) {
        return true;
      }
      Thread.yield();
    } catch (InternalError noPage) {
      // Expected here, and of no more use than the mismatch.
    }
    prepared.writerFailed(segment.start() + at + length);
    return false;
  }

  /**
   * Overwrites what a failed write may have left, so that recovery never meets a refused record; blocks it got are enough for that.
   */
  private void wipe(Segment segment, int at, int length, IOException failure) {
    try {
      wipe(segment, at, length);
    } catch (IOException endOfWhatWasWritten) {
      failure.addSuppressed(endOfWhatWasWritten);
    }
  }

  /** Overwrites bytes with zeros. */
  void wipe(Segment segment, int at, int length) throws IOException {
    for (int done = 0; done < length; done += WIPE) {
      segment.file().write(at + done, zeros, 0, Math.min(WIPE, length - done));
    }
  }
}
