package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.File;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How full the disk under the store is. Measured by housekeeping each second and before the log is prepared further; the verdict is
 * read by the writer of the commit log before each batch, so writes stop at the limit and go on by themselves when space is back.
 */
@OwnedBy("HousekeepingVerticle")
public final class DiskSpace {
  /** How often it is to be measured; the producer is told so. */
  public static final long MEASURE_EVERY_MS = 1_000;

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
  private final DiskMarks marks;
  private volatile double usedPercent;
  private volatile String cleanMark;
  private volatile String refusal;

  DiskSpace(String folder, Probe probe, DiskMarks marks) {
    this.folder = folder;
    this.probe = probe;
    this.marks = marks;
  }

  /** Asks the operating system again. */
  public void measure() {
    long used = probe.total() - probe.free();
    long usable = probe.usable();
    double percent = used + usable <= 0 ? 0 : 100.0 * used / (used + usable);
    usedPercent = percent;
    cleanMark = marks.cleanForcibly(percent, usable).orElse(null);
    Optional<String> full = marks.full(percent, usable);
    boolean wasFull = refusal != null;
    refusal = full.map(mark -> sentence(mark, percent, usable)).orElse(null);
    if (full.isPresent() && !wasFull) {
      log.error("disk is full, refusing writes until space is back folder={} mark={} usedPercent={} freeBytes={}",
          folder, full.get(), percent, usable);
    } else if (wasFull && full.isEmpty()) {
      log.info("disk has space again, taking writes folder={} usedPercent={} freeBytes={}", folder, percent, usable);
    }
  }

  /** Used share of the disk as of the last measure, 0 to 100. */
  public double usedPercent() {
    return usedPercent;
  }

  /** The mark, as key and value, for which files are to be deleted that are not expired; null when none was reached at the last measure. */
  String cleanMark() {
    return cleanMark;
  }

  /** Bytes that can still be written, asked now. */
  public long usableBytes() {
    return probe.usable();
  }

  /** Size of the disk in bytes, asked now. */
  public long totalBytes() {
    return probe.total();
  }

  /** Whether so many bytes more can be taken and enough stays free for what must be written: queues, index, small files. Asked now. */
  boolean hasRoomFor(long bytes) {
    long used = probe.total() - probe.free();
    long usable = probe.usable();
    long reserve = Math.max(LEAST_RESERVE_BYTES, (used + usable) * (100 - marks.fullPercent()) / 100);
    return usable - bytes >= Math.max(reserve, marks.fullFreeBytes());
  }

  /** Why writes are refused for lack of space, for the producer; null when they are not. */
  String refusal() {
    return refusal;
  }

  private String sentence(String mark, double percent, long usable) {
    return String.format(Locale.ROOT,
        "the disk of %s has reached %s: %.1f%% are used, %d MB are free; free space is measured again within %d s",
        folder, mark, percent, usable >> 20, MEASURE_EVERY_MS / 1000);
  }
}
