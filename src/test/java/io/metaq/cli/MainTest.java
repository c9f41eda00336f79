package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MainTest {
  private final PrintStream realOut = System.out;
  private final PrintStream realErr = System.err;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

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

  static Iterable<String> commands() {
    return Main.commandNames();
  }

  @Test
  void shouldListEveryCommandInItsHelp() {
    int status = Main.run("--help");

    assertThat(status).isZero();
    assertThat(text(out)).contains(Main.commandNames());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void shouldHaveHelpOnEveryLevel(String command) {
    int status = Main.run(command, "--help");

    assertThat(status).isZero();
    assertThat(text(out)).contains("Usage: metaq " + command);
  }

  @Test
  void shouldTellItsVersion() {
    assertThat(Main.run("--version")).isZero();
    assertThat(text(out)).matches("(?s)MetaQ \\d+\\.\\d+\\.\\d+\\S* \\(\\w+\\)\\s*");
  }

  @Test
  void shouldEndWithStatus2AndASuggestionOnAnUnknownCommand() {
    assertThat(Main.run("standalon")).isEqualTo(2);
    assertThat(text(err)).contains("'standalon'").contains("Did you mean").contains("standalone");
  }

  @Test
  void shouldEndWithStatus2OnAnUnknownOption() {
    assertThat(Main.run("nameserver", "--prot", "1")).isEqualTo(2);
    assertThat(text(err)).contains("--prot").contains("'metaq nameserver --help'");
  }

  @Test
  void shouldEndWithStatus2OnAClusterThatCannotBe() {
    assertThat(Main.run("cluster", "--sync")).isEqualTo(2);
    assertThat(text(err)).contains("--sync needs --slaves 1 or more").contains("'metaq cluster --help'");
  }

  @Test
  void shouldTakeOptionsWithoutACommandAsThoseOfTheStandalone() {
    assertThat(Main.run("--no-such-option")).isEqualTo(2);
    assertThat(text(err)).contains("'metaq standalone --help'");
  }

  @Test
  void shouldEndWithStatus1AndOneSentenceOnABadValue() {
    assertThat(Main.run("standalone", "-D", "listenPort=x")).isEqualTo(1);
    assertThat(text(err)).isEqualTo("metaq: listenPort must be a port from 0 to 65535, not \"x\" (from the command line)"
        + System.lineSeparator());
  }

  @Test
  void shouldEndWithStatus1AndOneSentenceOnAMissingConfigurationFile() {
    assertThat(Main.run("broker", "-c", "no/such.conf")).isEqualTo(1);
    assertThat(text(err)).isEqualTo("metaq: the configuration file no/such.conf (-c) does not exist" + System.lineSeparator());
  }

  /** Its name server begins first, and the store is opened beside that. */
  @Test
  void shouldTellOfTheNameServersPortBeforeItTouchesAStore(@TempDir Path folder) throws IOException {
    Path unusable = Files.createDirectory(folder.resolve("unusable"));
    Files.createFile(unusable.resolve("commitlog"));
    Path mistyped = folder.resolve("mistyped");
    assertThat(start(unusable, 0)).isEqualTo(1);
    assertThat(text(err)).contains("metaq: storePathRootDir (--data)");

    try (ServerSocket taken = new ServerSocket(0)) {
      int port = taken.getLocalPort();

      assertThat(start(unusable, port)).isEqualTo(1);
      assertThat(text(err)).endsWith(nameServerCannotListen(port));
      assertThat(start(mistyped, port)).isEqualTo(1);
      assertThat(text(err)).endsWith(nameServerCannotListen(port));
    }
    assertThat(mistyped).doesNotExist();
  }

  static List<List<String>> withoutValues() {
    return List.of(
        List.of("--property takes NAME=VALUE, not 'a'", "produce", "-t", "T", "--property", "a"),
        List.of("--attribute takes NAME=VALUE, not 'a'", "admin", "topic", "create", "T", "--attribute", "a"),
        List.of("-D takes KEY=VALUE, not 'a'", "cluster", "-D", "a"),
        List.of("-D takes KEY=VALUE, not 'a'", "broker", "-D", "a"),
        List.of("-D takes KEY=VALUE, not 'a'", "verify", "-Da"),
        List.of("-D takes KEY=VALUE, not 'a'", "dump", "-D", "a"));
  }

  @ParameterizedTest
  @MethodSource("withoutValues")
  void shouldSayHowAKeyAndItsValueAreGiven(List<String> sentenceAndArguments) {
    assertThat(Main.run(sentenceAndArguments.stream().skip(1).toArray(String[]::new))).isEqualTo(2);
    assertThat(text(err).lines().findFirst()).hasValue("metaq: " + sentenceAndArguments.get(0));
  }

  @Test
  void shouldEndWithStatus1WhereStandardOutputTakesNothing() {
    System.setOut(FullDisk.withRoomFor(0));

    assertThat(Main.run("--version")).isEqualTo(1);
    assertThat(text(err)).isEqualTo("metaq: " + StandardOutput.LOST + System.lineSeparator());
  }

  private static int start(Path data, int nameServerPort) {
    return Main.run(
        "standalone", "--data", data.toString(), "--namesrv-port", String.valueOf(nameServerPort), "--port", "0", "--http-port", "0");
  }

  private static String nameServerCannotListen(int port) {
    return "metaq: the name server cannot listen on 0.0.0.0 port " + port + " (namesrvListenPort): Address already in use"
        + System.lineSeparator();
  }

  /** As one whose name has characters that the system's encoding lacks. */
  @Test
  void shouldEndWithStatus2OnAConfigurationFileThatCannotBeAPath() {
    assertThat(Main.run("broker", "-c", "no\0path")).isEqualTo(2);
    assertThat(text(err)).contains("Invalid value for option '-c'").contains("'metaq broker --help'");
  }

  private static String text(ByteArrayOutputStream bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
