package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class MappingTest {
  @TempDir
  Path folder;

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldBeGoneFromTheProcessOnceUnmapped() throws Exception {
    Path path = folder.resolve("mapped-file");
    try (FileChannel channel = FileChannel.open(
        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      Mapping mapping = Mapping.of(channel, 8192);
      mapping.bytes().putInt(4096, 7);
      mapping.bytes().force(4096, 4);
      assertThat(mapsOfThisProcess()).contains("mapped-file");

      mapping.unmap();

      assertThat(mapsOfThisProcess()).doesNotContain("mapped-file");
    }
    assertThat(Files.size(path)).isEqualTo(8192);
  }

  @Test
  void shouldKeepAFileMappedUntilItsLastReaderIsDone() throws Exception {
    MappedFile file = MappedFile.open(Disk.real(), folder.resolve("file"), 4096);
    assertThat(file.retain()).isTrue();

    file.retire();
    file.bytes().putInt(0, 7);

    assertThat(file.bytes().getInt(0)).isEqualTo(7);
    assertThat(file.path()).doesNotExist();
    file.release();
    assertThat(file.retain()).isFalse();
  }

  @Test
  void shouldEndOnlyWhereItIsToldToWhenReadersMayNotWaitForTheDisk() throws Exception {
    MappedFile file = MappedFile.open(Disk.real(), folder.resolve("lent"), 4096);
    assertThat(file.retain()).isTrue();

    file.loseName();

    assertThat(file.path()).doesNotExist();
    assertThat(file.endIfUnused()).isFalse();
    file.release();
    assertThat(mapsOfThisProcess()).contains("/lent (deleted)");
    assertThat(file.endIfUnused()).isTrue();
    assertThat(mapsOfThisProcess()).doesNotContain("/lent");
    assertThat(file.retain()).isFalse();
    assertThat(file.endIfUnused()).isFalse();
  }

  private static String mapsOfThisProcess() throws Exception {
    return Files.readString(Path.of("/proc/self/maps"));
  }
}
