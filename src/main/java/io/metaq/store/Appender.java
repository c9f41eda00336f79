package io.metaq.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * How bytes get into a file of the log: by a positional write, however few they are. Through the mapping the writer would spare
 * itself a system call, but whoever forces a page that was written so makes the kernel interrupt all other processors for it (ADR
 * 0039). And a write fails with an exception when the disk is full. The mapping is for those who read.
 *
 * <p>A write that fails may leave any part of its bytes in place. They are wiped out, so recovery does not meet a refused record.
 */
final class Appender {
  private static final int WIPE = 4096;

  private final PreparedRange prepared;
  /** Made ahead: when it is needed, memory may be short too. */
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(WIPE);

  Appender(PreparedRange prepared) {
    this.prepared = prepared;
  }

  /**
   * Writes {@code [from, from + length)} of {@code source} at {@code phyOffset}, which lies in {@code segment}; moves the position
   * and limit of {@code source}.
   *
   * @throws IOException when it could not be written whole; then nothing of it is left that could pass for a record
   */
  void write(Segment segment, long phyOffset, ByteBuffer source, int from, int length) throws IOException {
    long to = phyOffset + length;
    int at = segment.place(phyOffset);
    prepared.claimForWriter(phyOffset, to);
    try {
      segment.file().write(at, source, from, length);
    } catch (IOException failure) {
      prepared.writerFailed(to);
      wipe(segment, at, length, failure);
      throw failure;
    }
  }

  /** Whether {@code [from, to)} is there already, so that to write it is to copy it. */
  boolean isPrepared(long from, long to) {
    return prepared.isPrepared(from, to);
  }

  /**
   * Overwrites what a failed write may have left, so that recovery never meets a refused record; blocks it got are enough for that. A
   * thread that is interrupted, which may be why the write failed, cannot write until it forgets that for a moment.
   */
  private void wipe(Segment segment, int at, int length, IOException failure) {
    boolean interrupted = Thread.interrupted();
    try {
      wipe(segment, at, length);
    } catch (IOException endOfWhatWasWritten) {
      failure.addSuppressed(endOfWhatWasWritten);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Overwrites bytes with zeros. */
  void wipe(Segment segment, int at, int length) throws IOException {
    for (int done = 0; done < length; done += WIPE) {
      segment.file().write(at + done, zeros, 0, Math.min(WIPE, length - done));
    }
  }
}
