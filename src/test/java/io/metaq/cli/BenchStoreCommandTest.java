package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.store.FlushMode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BenchStoreCommandTest {
  private final PrintStream realOut = System.out;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @TempDir
  Path data;

  @BeforeEach
  void capture() {
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setOut(realOut);
  }

  @Test
  void shouldPrintARowForEachWayAndLeaveNothingBehind() {
    int status = Main.run("bench", "store", "--data", data.toString(), "--seconds", "1");

    assertThat(status).isZero();
    assertThat(lines()).hasSize(20);
    assertThat(lines().get(0)).matches(" +p50 us +p99 us +max us +samples");
    assertThat(lines().subList(1, 20)).allMatch(line -> line.matches("\\S.*\\S +[0-9.]+ +[0-9.]+ +[0-9.]+ +[1-9][0-9]*"));
    assertThat(data).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource(FlushMode.class)
  void shouldMeasureAppendsFromWhenTheyWereDue(FlushMode mode) {
    int status = Main.run("bench", "store", "--data", data.toString(), "--seconds", "1", "--append", "--rate", "2000", "--flush", mode.name());

    assertThat(status).isZero();
    assertThat(lines().get(0)).contains("in batches of 32").contains("under " + mode);
    assertThat(lines()).contains("an append of a batch, in ms", "an append of a batch, from when it was due (open loop, 2000/s), in ms");
    assertThat(lines()).noneMatch(line -> line.contains("nothing was measured"));
    assertThat(data).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seconds=0", "--rate=-1", "--batch=0", "--batch=10000", "--size=-1", "--data=/no/such/folder", "--flush=NEVER"})
  void shouldEndWithTwoAfterWrongUsage(String option) {
    assertThat(Main.run("bench", "store", option)).isEqualTo(2);
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
