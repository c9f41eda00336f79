package io.metaq.store;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  void shouldMindNoFolderThatIsGone() {
    assertThatCode(() -> Disk.real().forceNames(folder.resolve("gone"))).doesNotThrowAnyException();
  }
}
