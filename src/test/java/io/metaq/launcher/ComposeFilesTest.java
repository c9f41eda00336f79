package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docker/compose.*.yml set must mean something to the process that gets it. */
class ComposeFilesTest {
  /** Read by the image's health check. */
  private static final Set<String> NOT_OF_THE_PROCESS = Set.of("METAQ_HEALTH_PORTS");
  private static final Pattern SERVICE = Pattern.compile("  ([a-z0-9-]+):");
  private static final Pattern VARIABLE = Pattern.compile(" {6}(METAQ_[A-Z0-9_]+): \"?([^\"]*)\"?");

  static List<Path> files() throws IOException {
    try (Stream<Path> found = Files.list(Path.of("docker"))) {
      return found.filter(file -> file.getFileName().toString().startsWith("compose.")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void shouldSetOnlyKeysThatTheProcessHonours(Path file) throws IOException {
    Map<String, Map<String, String>> services = services(file);

    assertThat(services).isNotEmpty().allSatisfy((name, variables) -> {
      SettingsReader.Result result =
          new SettingsReader(ConfigKeys.load(), Set.of(Component.BROKER)).read(List.of(Source.environment(variables)));
      assertThat(result.remarks()).as(name).isEmpty();
      long chosen = result.settings().all().stream().filter(setting -> setting.origin().chosen()).count();
      assertThat(chosen).as("keys that " + name + " honours").isEqualTo(variables.size());
    });
  }

  private static Map<String, Map<String, String>> services(Path file) throws IOException {
    Map<String, Map<String, String>> services = new LinkedHashMap<>();
    Map<String, String> current = Map.of();
    for (String line : Files.readAllLines(file)) {
      Matcher service = SERVICE.matcher(line);
      Matcher variable = VARIABLE.matcher(line);
      if (service.matches()) {
        // Networks and volumes below are written in the same way, some under the same names.
        current = services.computeIfAbsent(service.group(1), name -> new LinkedHashMap<>());
      } else if (variable.matches() && !NOT_OF_THE_PROCESS.contains(variable.group(1))) {
        current.put(variable.group(1), variable.group(2).replace("${METAQ_BROKER_IP1:-127.0.0.1}", "127.0.0.1"));
      }
    }
    return services;
  }
}
