package io.metaq.cli;

import java.nio.file.Path;
import java.util.List;

/** How this program is run in another process: the same Java, the same classes. */
final class OwnProgram {
  private OwnProgram() {}

  /** A command without arguments, for a child that is ended with this process and started quickly. */
  static List<String> command() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-D" + ParentWatch.PROPERTY + "=true",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName());
  }
}
