package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhysicalMemoryTest {
  @TempDir
  Path folder;

  @Test
  void shouldTakeTheMachineWhenThereIsNoLimit() throws IOException {
    Path machine = file("meminfo", "MemTotal:       24575600 kB\nMemFree: 1 kB\n");

    assertThat(PhysicalMemory.bytes(machine, List.of(file("memory.max", "max\n")), 1)).isEqualTo(24575600L * 1024);
  }

  @Test
  void shouldTakeTheContainersLimitWhenItIsLess() throws IOException {
    Path machine = file("meminfo", "MemTotal:       24575600 kB\n");

    assertThat(PhysicalMemory.bytes(machine, List.of(file("memory.max", "268435456\n")), 1)).isEqualTo(268435456L);
  }

  @Test
  void shouldIgnoreTheHugeNumberThatMeansNoLimit() throws IOException {
    Path machine = file("meminfo", "MemTotal:       1000 kB\n");

    assertThat(PhysicalMemory.bytes(machine, List.of(file("limit", "9223372036854771712\n")), 1)).isEqualTo(1024000L);
  }

  @Test
  void shouldGuessWhereNothingTells() {
    assertThat(PhysicalMemory.bytes(folder.resolve("none"), List.of(folder.resolve("nothing")), 77)).isEqualTo(77);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
