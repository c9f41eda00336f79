package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.File;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How full the disk under the store is. Measured by housekeeping each second; the verdict is read by the writer of the commit log
 * before each batch, so writes stop at the limit and go on by themselves when space is back.
 */
@OwnedBy("HousekeepingVerticle")
public final class DiskSpace {
  /** What the operating system says about the disk of a folder, in bytes. */
  interface Probe {
    long total();

    long free();

    /** Free for this process: reserved blocks left out. */
    long usable();

    static Probe of(File folder) {
      return new Probe() {
        @Override
        public long total() {
          return folder.getTotalSpace();
        }

        @Override
        public long free() {
          return folder.getFreeSpace();
        }

        @Override
        public long usable() {
          return folder.getUsableSpace();
        }
      };
    }
  }

  private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);

  private static final long LEAST_RESERVE_BYTES = 8L << 20;

  private final String folder;
  private final Probe probe;
  private final int fullPercent;
  private volatile double usedPercent;
  private volatile String refusal;

  DiskSpace(String folder, Probe probe, int fullPercent) {
    this.folder = folder;
    this.probe = probe;
    this.fullPercent = fullPercent;
  }

  /** Asks the operating system again. */
  public void measure() {
    long used = probe.total() - probe.free();
    long usable = probe.usable();
    usedPercent = used + usable <= 0 ? 0 : 100.0 * used / (used + usable);
    boolean full = usedPercent >= fullPercent;
    boolean wasFull = refusal != null;
    refusal = full ? sentence(usable) : null;
    if (full && !wasFull) {
      log.error("disk is full, refusing writes until space is back folder={} usedPercent={} limit={}", folder, usedPercent, fullPercent);
    } else if (wasFull && !full) {
      log.info("disk has space again, taking writes folder={} usedPercent={}", folder, usedPercent);
    }
  }

  /** Used share of the disk as of the last measure, 0 to 100. */
  public double usedPercent() {
    return usedPercent;
  }

  /** Bytes that can still be written, asked now. */
  public long usableBytes() {
    return probe.usable();
  }

  /** Whether so many bytes more can be taken and enough stays free for what must be written: queues, index, small files. Asked now. */
  boolean hasRoomFor(long bytes) {
    long used = probe.total() - probe.free();
    long usable = probe.usable();
    long reserve = Math.max(LEAST_RESERVE_BYTES, (used + usable) * (100 - fullPercent) / 100);
    return usable - bytes >= reserve;
  }

  /** Why writes are refused for lack of space, for the producer; null when they are not. */
  String refusal() {
    return refusal;
  }

  private String sentence(long usable) {
    return String.format(Locale.ROOT, "the disk of %s is %.1f%% full, nothing is stored from %d%% on; %d MB are free",
        folder, usedPercent, fullPercent, usable >> 20);
  }
}
