package io.metaq.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.MetaqJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@code metaq torture} as its users run it: two power cuts, a kill and torn files. {@code -Dmetaq.it.tortureRounds=200} is the release
 * check.
 */
@Execution(ExecutionMode.CONCURRENT)
class TortureIT {
  private static final int ROUNDS = Integer.getInteger("metaq.it.tortureRounds", 4);
  private static final int LIMIT_S_PER_ROUND = 120;

  @TempDir
  private Path folder;

  @Test
  void shouldLoseNothing() throws Exception {
    Path out = folder.resolve("out");
    Process torture = new ProcessBuilder(MetaqJar.command("torture", "--rounds", Integer.toString(ROUNDS), "--data",
        folder.resolve("rounds").toString())).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    try {
      assertThat(torture.waitFor((long) ROUNDS * LIMIT_S_PER_ROUND, TimeUnit.SECONDS)).isTrue();

      List<String> lines = Files.readAllLines(out);
      assertThat(torture.exitValue()).as(String.join("\n", lines)).isZero();
      assertThat(lines.get(lines.size() - 1)).matches("acknowledged (\\d+), found \\1, duplicates \\d+, repaired [1-9]\\d*");
      assertThat(lines).anyMatch(line -> line.startsWith("kill -9")).anyMatch(line -> line.startsWith("power cut"))
          .anyMatch(line -> line.startsWith("torn files"));
    } finally {
      torture.destroyForcibly();
    }
  }
}
