package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.DiskSpace.Usage;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders of a store may lie on disks of their own. */
class DiskSpaceTest {
  private static final long GB = 1L << 30;

  @Test
  void shouldGoByTheWorstDiskForEachMark() {
    DiskMarks marks = new DiskMarks(75, 85, 0, 90, 2 * GB);
    // The large one is fuller, the small one has too few bytes free.
    DiskSpace disk = new DiskSpace(() -> List.of(new Usage("root", 10 * GB, 1 * GB + 1, 1 * GB + 1), new Usage("log", 1000 * GB, 110 * GB, 110 * GB)),
        marks);

    disk.measure();

    assertThat(disk.refusal()).startsWith("the disk of root has reached diskSpaceWarningLevelFreeBytes=2147483648: 90.0% are used, 1024 MB are free");
    assertThat(disk.usedPercent()).isBetween(89.9, 90.0);
    assertThat(disk.cleanMark()).isEqualTo("diskSpaceCleanForciblyRatio=85");
    assertThat(disk.usableBytes()).isEqualTo(GB + 1);
    assertThat(disk.totalBytes()).isEqualTo(10 * GB);
    assertThat(disk.hasRoomFor(1)).isFalse();
  }

  @Test
  void shouldHaveRoomWhereEveryDiskHas() {
    DiskSpace disk = new DiskSpace(() -> List.of(new Usage("root", 10 * GB, 8 * GB, 8 * GB), new Usage("log", 100 * GB, 20 * GB, 20 * GB)), DiskMarks.DEFAULT);

    disk.measure();

    assertThat(disk.refusal()).isNull();
    assertThat(disk.cleanMark()).isNull();
    assertThat(disk.hasRoomFor(6 * GB)).isTrue();
    assertThat(disk.hasRoomFor(8 * GB)).isFalse();
  }

  @Test
  void shouldAskForAFolderThatIsNotThereYetWhereItWillBe(@TempDir Path folder) {
    Path missing = folder.resolve("data/commitlog");

    Usage there = DiskSpace.Probe.of(folder, missing).look().get(1);

    assertThat(there.folder()).isEqualTo(missing.toString());
    assertThat(there.total()).isEqualTo(folder.toFile().getTotalSpace()).isPositive();
  }
}
