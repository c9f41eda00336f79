package io.metaq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the documents promise exists. */
class ReadmeTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)\\)");
  private static final Pattern COMMAND_ROW = Pattern.compile("(?m)^\\| `([a-z]+)` \\| ");
  private static final Pattern USED_COMMAND = Pattern.compile("java -jar target/metaq\\.jar ([a-z]+) ");

  @Test
  void shouldSayOnItsFirstScreenHowToRunTestSendAndReceive() throws IOException {
    String firstScreen = String.join("\n", Files.readAllLines(Path.of("README.md")).subList(0, 40));

    assertThat(firstScreen)
        .contains("mvn -B -DskipTests package && java -jar target/metaq.jar")
        .contains("java -jar target/metaq.jar produce -n localhost:9876 -t hello")
        .contains("java -jar target/metaq.jar consume -n localhost:9876 -t hello")
        .contains("mvn -B verify");
  }

  @Test
  void shouldListTheCommandsThereAre() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    List<String> listed = matches(COMMAND_ROW, readme);

    assertThat(listed).containsExactlyElementsOf(Main.commandNames());
    assertThat(listed).containsAll(matches(USED_COMMAND, readme));
  }

  @Test
  void shouldTellOfEveryRoom() throws IOException {
    String readme = Files.readString(Path.of("README.md"));

    try (Stream<Path> rooms = Files.list(Path.of("src/main/java/io/metaq"))) {
      assertThat(rooms.filter(Files::isDirectory)).isNotEmpty()
          .allSatisfy(room -> assertThat(readme).contains("(src/main/java/io/metaq/" + room.getFileName() + ")"));
    }
  }

  @Test
  void shouldBeTestedInContinuousIntegrationByTheCommandItGives() throws IOException {
    assertThat(Files.readString(Path.of(".ci/run"))).contains("\nmvn -B verify ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "docs/ARCHITECTURE.md", "docs/OWNERSHIP.md", "docs/configuration.md", "docs/clusters.md",
      "docs/durability.md", "docs/http.md", "docs/browser.md", "docs/metrics.md", "docs/migration.md", "docs/testing.md", "docs/quarkus.md", "docs/first-steps.md",
      "docker/README.md",
      "verticles/README.md", "CHANGELOG.md"})
  void shouldLinkOnlyToWhatExists(String document) throws IOException {
    Path file = Path.of(document);
    Path folder = file.toAbsolutePath().getParent();

    assertThat(matches(LINK, Files.readString(file))).allSatisfy(link -> assertThat(folder.resolve(link)).exists());
  }

  private static List<String> matches(Pattern pattern, String text) {
    try (Stream<MatchResult> found = pattern.matcher(text).results()) {
      return found.map(match -> match.group(1)).toList();
    }
  }
}
