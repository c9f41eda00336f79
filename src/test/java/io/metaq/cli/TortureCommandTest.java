package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TortureCommandTest {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir
  Path folder;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setOut(realOut);
    System.setErr(realErr);
  }

  @Test
  void shouldPrintTheSeedATableAndTheVerdict() {
    int status = Main.run("torture", "--rounds", "3", "--kind", "power", "--seed", "11", "--data", folder.toString());

    assertThat(lines().get(0)).isEqualTo("seed 11, in " + folder);
    assertThat(lines()).anyMatch(line -> line.matches("power cut +ASYNC_FLUSH +\\d+ .*"))
        .anyMatch(line -> line.matches("power cut +SYNC_FLUSH +\\d+ .*"));
    assertThat(lines().get(lines().size() - 1)).matches("acknowledged (\\d+), found \\1, duplicates 0, repaired [1-9]\\d*");
    assertThat(status).isZero();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void shouldRunOneModeWhenAsked() {
    int status = Main.run("torture", "--rounds", "2", "--kind", "power", "--mode", "sync", "--data", folder.toString());

    assertThat(status).isZero();
    assertThat(lines()).noneMatch(line -> line.contains("ASYNC_FLUSH"));
  }

  @Test
  void shouldRefuseAFolderThatIsNotEmpty() throws IOException {
    Files.writeString(folder.resolve("precious"), "do not touch");

    int status = Main.run("torture", "--data", folder.toString());

    assertThat(status).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("is not an empty folder");
    assertThat(folder.resolve("precious")).hasContent("do not touch");
  }

  @Test
  void shouldRefuseToRunNoRounds() {
    int status = Main.run("torture", "--rounds", "0");

    assertThat(status).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--rounds must be 1 or more");
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
