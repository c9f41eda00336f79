package io.metaq.net;

import io.metaq.model.OwnedBy;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Room for frames above {@value #BIG} bytes that are only partly there, shared by all loops of the process, so that half-read giants
 * cannot fill a small memory. A connection takes room for the whole frame before it gathers it, first come, first served, and reads
 * nothing while it waits.
 *
 * <p>The only lock of this package; it is taken once for each big frame and held for a few instructions.
 */
@OwnedBy("its monitor")
final class BigFrames {
  /** Frames up to this length are gathered freely. */
  static final int BIG = 256 * 1024;

  /** The room of this process: a sixteenth of the heap's limit, at least one frame of the protocol's maximum. */
  static final BigFrames PROCESS =
      new BigFrames(Math.max(WireLimits.MAX_FRAME_BYTES, Runtime.getRuntime().maxMemory() / 16));

  private final long totalBytes;
  private final Queue<Ticket> waiting = new ArrayDeque<>();
  private long freeBytes;

  BigFrames(long totalBytes) {
    this.totalBytes = totalBytes;
    freeBytes = totalBytes;
  }

  /** One frame's room, wanted or held. */
  final class Ticket {
    private final long bytes;
    private final Runnable onGranted;
    private boolean granted;
    private boolean returned;

    private Ticket(long bytes, Runnable onGranted) {
      this.bytes = Math.min(bytes, totalBytes);
      this.onGranted = onGranted;
    }

    /** Gives the room, or the place in the queue, back. */
    void giveBack() {
      synchronized (BigFrames.this) {
        if (returned) {
          return;
        }
        returned = true;
        if (granted) {
          freeBytes += bytes;
        } else {
          waiting.remove(this);
        }
        grant();
      }
    }

    boolean granted() {
      synchronized (BigFrames.this) {
        return granted;
      }
    }
  }

  /** Asks for room; {@code onGranted} is called, on any thread, only when the ticket was not granted at once. */
  Ticket take(long bytes, Runnable onGranted) {
    Ticket ticket = new Ticket(bytes, onGranted);
    synchronized (this) {
      if (waiting.isEmpty() && freeBytes >= ticket.bytes) {
        freeBytes -= ticket.bytes;
        ticket.granted = true;
      } else {
        waiting.add(ticket);
      }
    }
    return ticket;
  }

  private void grant() {
    while (!waiting.isEmpty() && freeBytes >= waiting.peek().bytes) {
      Ticket next = waiting.remove();
      freeBytes -= next.bytes;
      next.granted = true;
      next.onGranted.run();
    }
  }
}
