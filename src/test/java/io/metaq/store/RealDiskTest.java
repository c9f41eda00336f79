package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class RealDiskTest {
  @TempDir
  private Path folder;

  @Test
  void shouldTellWhenNamesCannotBeForced() throws IOException {
    Path circle = Files.createSymbolicLink(folder.resolve("circle"), folder.resolve("circle"));

    assertThatThrownBy(() -> Disk.real().forceNames(circle)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldGoOnWhereFoldersCannotBeForced() {
    assertThatCode(() -> Disk.real().forceNames(Path.of("/proc"))).doesNotThrowAnyException();
  }

  @Test
  void shouldForceEveryByteOfAMappingOnceInSlicesThatEndBetweenPages() {
    Random random = new Random(1);
    for (int round = 0; round < 1_000; round++) {
      int from = random.nextInt(Integer.MAX_VALUE);
      int to = from + random.nextInt(Integer.MAX_VALUE - from);
      int slices = 0;
      int at = from;
      while (at < to) {
        int end = RealDisk.endOfSlice(at, from, to);
        assertThat(end).isGreaterThan(at).isLessThanOrEqualTo(to);
        assertThat(end == to || end % RealDisk.SLICE == 0).isTrue();
        at = end;
        slices++;
      }
      assertThat(slices).isLessThanOrEqualTo(RealDisk.MOST_SLICES + 2);
    }
  }

  @Test
  void shouldForceALittleInSlicesOfOneSize() {
    assertThat(RealDisk.endOfSlice(10, 10, 4_000)).isEqualTo(4_000);
    assertThat(RealDisk.endOfSlice(10, 10, 3 * RealDisk.SLICE)).isEqualTo(RealDisk.SLICE);
    assertThat(RealDisk.endOfSlice(RealDisk.SLICE, 10, 3 * RealDisk.SLICE)).isEqualTo(2 * RealDisk.SLICE);
  }

  @Test
  void shouldForceAMegabyteInEightSlicesAndHalfASecondOfALogThatGrowsFastInLongerOnes() {
    assertThat(RealDisk.endOfSlice(0, 0, 1 << 20)).isEqualTo(128 << 10);
    assertThat(RealDisk.endOfSlice(0, 0, 36 << 20)).isEqualTo(640 << 10);
  }

  @Test
  void shouldMindNoFolderThatIsGone() {
    assertThatCode(() -> Disk.real().forceNames(folder.resolve("gone"))).doesNotThrowAnyException();
  }
}
