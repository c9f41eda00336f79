package io.metaq.store;

import io.metaq.model.OwnedBy;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How full the disks under the store are. Measured by housekeeping each second and before the log is prepared further; the verdict is
 * read by the writer of the commit log before each batch, so writes stop at the limit and go on by themselves when space is back. Of
 * several disks, for folders of a store may be mounts of their own, the worst counts.
 */
@OwnedBy("HousekeepingVerticle")
public final class DiskSpace {
  /** How often it is to be measured; the producer is told so. */
  public static final long MEASURE_EVERY_MS = 1_000;

  /**
   * What the operating system says about the disk that a folder lies on, in bytes.
   *
   * @param usable free for this process: reserved blocks left out
   */
  record Usage(String folder, long total, long free, long usable) {
    static Usage of(Path folder) {
      Path there = folder.toAbsolutePath();
      while (Files.notExists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      File file = there.toFile();
      return new Usage(folder.toString(), file.getTotalSpace(), file.getFreeSpace(), file.getUsableSpace());
    }

    private long size() {
      return total - free + usable;
    }

    private double usedPercent() {
      return size() <= 0 ? 0 : 100.0 * (total - free) / size();
    }
  }

  /** Looks at the disks, one or more. */
  interface Probe {
    List<Usage> look();

    static Probe of(Path... folders) {
      return () -> Stream.of(folders).map(Usage::of).toList();
    }
  }

  private static final Logger log = LoggerFactory.getLogger(DiskSpace.class);

  private static final long LEAST_RESERVE_BYTES = 8L << 20;

  private final Probe probe;
  private final DiskMarks marks;
  private volatile double usedPercent;
  private volatile String cleanMark;
  private volatile String refusal;

  DiskSpace(Probe probe, DiskMarks marks) {
    this.probe = probe;
    this.marks = marks;
  }

  /** Asks the operating system again. */
  public void measure() {
    List<Usage> disks = probe.look();
    usedPercent = disks.stream().mapToDouble(Usage::usedPercent).max().orElseThrow();
    cleanMark = disks.stream().flatMap(disk -> marks.cleanForcibly(disk.usedPercent(), disk.usable()).stream()).findFirst().orElse(null);
    Optional<Usage> full = disks.stream().filter(disk -> fullMark(disk).isPresent()).findFirst();
    boolean wasFull = refusal != null;
    refusal = full.map(this::sentence).orElse(null);
    if (full.isPresent() && !wasFull) {
      Usage disk = full.get();
      log.error("disk is full, refusing writes until space is back folder={} mark={} usedPercent={} freeBytes={}",
          disk.folder(), fullMark(disk).orElseThrow(), disk.usedPercent(), disk.usable());
    } else if (wasFull && full.isEmpty()) {
      Usage disk = tightest(disks);
      log.info("disk has space again, taking writes folder={} usedPercent={} freeBytes={}", disk.folder(), disk.usedPercent(), disk.usable());
    }
  }

  /** Used share of the fullest disk as of the last measure, 0 to 100. */
  public double usedPercent() {
    return usedPercent;
  }

  /** The mark, as key and value, for which files are to be deleted that are not expired; null when none was reached at the last measure. */
  String cleanMark() {
    return cleanMark;
  }

  /** Bytes that can still be written where the fewest can, asked now. */
  public long usableBytes() {
    return tightest(probe.look()).usable();
  }

  /** Size in bytes of the disk with the fewest {@link #usableBytes}, asked now. */
  public long totalBytes() {
    return tightest(probe.look()).total();
  }

  /** Whether so many bytes more can be taken and enough stays free for what must be written: queues, index, small files. Asked now. */
  boolean hasRoomFor(long bytes) {
    return probe.look().stream().allMatch(disk -> {
      long reserve = Math.max(LEAST_RESERVE_BYTES, disk.size() * (100 - marks.fullPercent()) / 100);
      return disk.usable() - bytes >= Math.max(reserve, marks.fullFreeBytes());
    });
  }

  /** Why writes are refused for lack of space, for the producer; null when they are not. */
  String refusal() {
    return refusal;
  }

  private Optional<String> fullMark(Usage disk) {
    return marks.full(disk.usedPercent(), disk.usable());
  }

  private static Usage tightest(List<Usage> disks) {
    return disks.stream().min(Comparator.comparingLong(Usage::usable)).orElseThrow();
  }

  private String sentence(Usage disk) {
    return String.format(Locale.ROOT,
        "the disk of %s has reached %s: %.1f%% are used, %d MB are free; free space is measured again within %d s",
        disk.folder(), fullMark(disk).orElseThrow(), disk.usedPercent(), disk.usable() >> 20, MEASURE_EVERY_MS / 1000);
  }
}
