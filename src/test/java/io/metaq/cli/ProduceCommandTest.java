package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.embedded.EmbeddedMetaq;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProduceCommandTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TOPIC = "orders";

  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private EmbeddedMetaq metaq;

  @TempDir
  private Path folder;

  @BeforeEach
  void startAndCapture() {
    metaq = EmbeddedMetaq.start().await().atMost(LIMIT);
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @AfterEach
  void giveBack() {
    System.setOut(realOut);
    System.setErr(realErr);
    metaq.close().await().atMost(LIMIT);
  }

  /** More lines than are in flight at once, so that it has to see it before the last is sent. */
  @Test
  void shouldEndWithStatus1WhereStandardOutputTakesNoReceipts() throws IOException {
    System.setOut(FullDisk.withRoomFor(1));
    Path lines = Files.write(folder.resolve("lines"), Collections.nCopies(5_000, "line"));

    int status = produce("--file", lines.toString(), "--lines");

    assertThat(status).isEqualTo(1);
    assertThat(text(err)).isEqualTo("metaq: " + StandardOutput.LOST + System.lineSeparator());
  }

  private int produce(String... more) {
    List<String> arguments = new ArrayList<>(List.of("produce", "-n", metaq.nameServers(), "-t", TOPIC));
    arguments.addAll(List.of(more));
    return Main.run(arguments.toArray(String[]::new));
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
