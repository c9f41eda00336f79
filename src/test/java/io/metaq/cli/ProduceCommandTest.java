package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.embedded.EmbeddedMetaq;
import io.vertx.core.Vertx;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
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
  private final InputStream realIn = System.in;
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
    System.setIn(realIn);
    metaq.close().await().atMost(LIMIT);
  }

  @Test
  void shouldEndWithStatus1WhereStandardOutputTakesNoReceipts() throws IOException {
    System.setOut(FullDisk.withRoomFor(1));
    Path lines = Files.write(folder.resolve("lines"), List.of("one", "two", "three"));

    int status = produce("--file", lines.toString(), "--lines");

    assertThat(status).isEqualTo(1);
    assertThat(text(err)).isEqualTo("metaq: " + StandardOutput.LOST + System.lineSeparator());
  }

  /** Nobody types a further line; the signal alone has to end it, with the one line sent. */
  @Test
  void shouldEndWithStatus0OnASignalWhileItWaitsForInput() throws Exception {
    Process produce = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m", "-cp",
        System.getProperty("java.class.path"), Main.class.getName(), "produce", "-n", metaq.nameServers(), "-t", TOPIC)
        .redirectErrorStream(true).start();
    try (BufferedReader receipts = produce.inputReader()) {
      produce.getOutputStream().write("one\n".getBytes(StandardCharsets.UTF_8));
      produce.getOutputStream().flush();
      assertThat(receipts.readLine()).contains("@0 ");

      // Process.destroy would close its input as well.
      produce.toHandle().destroy();

      assertThat(produce.waitFor()).isZero();
    } finally {
      produce.destroyForcibly();
    }
  }

  /** Latin-1, and bytes that are no text at all. */
  @Test
  void shouldSendLinesAsTheBytesTheyAre() throws IOException {
    byte[] latin = "caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    byte[] noText = {'\n', 0, (byte) 0xff, (byte) 0xfe};
    byte[] both = ByteBuffer.allocate(latin.length + noText.length).put(latin).put(noText).array();
    Path file = Files.write(folder.resolve("bytes"), both);
    System.setIn(new ByteArrayInputStream(both));

    assertThat(produce("--file", file.toString(), "--lines")).isZero();
    assertThat(produce()).isZero();

    assertThat(stored(6)).containsExactlyInAnyOrder(
        hex(Arrays.copyOf(latin, 4)), "", hex(Arrays.copyOfRange(noText, 1, 4)),
        hex(Arrays.copyOf(latin, 4)), "", hex(Arrays.copyOfRange(noText, 1, 4)));
  }

  /** The sentence was the JDK's, which names no input. */
  @Test
  void shouldTellOfWhatIsStoredBeforeInputThatBreaksOff() {
    System.setIn(new SequenceInputStream(new ByteArrayInputStream("one\ntwo\nhal".getBytes(StandardCharsets.UTF_8)), new InputStream() {
      @Override
      public int read() throws IOException {
        throw new IOException("Input/output error");
      }
    }));

    assertThat(produce()).isEqualTo(1);

    assertThat(text(err)).isEqualTo("metaq: standard input cannot be read: Input/output error" + System.lineSeparator());
    assertThat(text(out).lines()).hasSize(2);
  }

  @Test
  void shouldNameTheFileItCannotReadAndTheReason() {
    Path missing = folder.resolve("missing");

    assertThat(produce("--file", folder.toString())).isEqualTo(1);
    assertThat(produce("--file", folder.toString(), "--lines")).isEqualTo(1);
    assertThat(produce("--file", missing.toString())).isEqualTo(1);
    assertThat(produce("--file", missing.toString(), "--lines")).isEqualTo(1);

    assertThat(text(err).lines()).containsExactly(
        "metaq: the file " + folder + " cannot be read: Is a directory",
        "metaq: the file " + folder + " cannot be read: Is a directory",
        "metaq: the file " + missing + " cannot be read: it does not exist",
        "metaq: the file " + missing + " cannot be read: it does not exist");
  }

  private List<String> stored(int count) {
    Vertx vertx = Vertx.vertx();
    MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(metaq.nameServers()));
    try {
      return client.subscribe(Subscription.to(TOPIC).from(Position.EARLIEST)).select().first(count)
          .map(delivery -> hex(delivery.message().body())).collect().asList().await().atMost(LIMIT);
    } finally {
      client.close().await().atMost(LIMIT);
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
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
