package io.metaq.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * How much memory this process may count on: that of the machine, or of its container when that is less. Read from Linux's own files,
 * since the management classes of the JDK take long to load at start.
 */
final class PhysicalMemory {
  private static final Path MACHINE = Path.of("/proc/meminfo");
  private static final List<Path> CONTAINER =
      List.of(Path.of("/sys/fs/cgroup/memory.max"), Path.of("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  private static final long UNKNOWN = Long.MAX_VALUE;

  private PhysicalMemory() {}

  /** Bytes; where Linux's files are missing, four times the largest heap, of which the JDK by default takes a quarter. */
  static long bytes() {
    return bytes(MACHINE, CONTAINER, Runtime.getRuntime().maxMemory() * 4);
  }

  static long bytes(Path machine, List<Path> container, long fallback) {
    long least = firstNumber(machine, 1024);
    for (Path limit : container) {
      least = Math.min(least, firstNumber(limit, 1));
    }
    return least == UNKNOWN ? fallback : least;
  }

  /** The first number of a file times {@code unit}; {@link #UNKNOWN} when there is none ({@code max}) or the file is missing. */
  private static long firstNumber(Path file, long unit) {
    try {
      String digits = Files.readAllLines(file).get(0).replaceAll("\\D", "");
      return digits.isEmpty() || digits.length() > 15 ? UNKNOWN : Long.parseLong(digits) * unit;
    } catch (IOException | IndexOutOfBoundsException missing) {
      return UNKNOWN;
    }
  }
}
