package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The console's files hang together: whatever one names is there, is served as what it is, and exports what is asked of it. */
class ConsoleFilesTest {
  private static final Pattern IMPORT = Pattern.compile(
      "(?:import|export)\\s+(?:(?:\\w+|\\{([^}]*)})\\s+from\\s+)?'([^']+)'|import\\('([^']+)'\\)");
  private static final Pattern EXPORT = Pattern.compile(
      "^export (?:async )?(?:const|let|function|class) (\\w+)|^export \\{([^}]*)}", Pattern.MULTILINE);
  private static final Pattern LINK = Pattern.compile("(?:src|href)[=:] ?[\"']((?:/console|/lib)/[^\"']+)[\"']");
  private static final Map<String, String> TYPES = Map.of("html", "text/html; charset=utf-8", "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8", "svg", "image/svg+xml");
  private static final int LONGEST_LINE = 132;

  private static final Map<String, String> FILES = files();

  /** By the path they are served under. */
  private static Map<String, String> files() {
    try {
      Path folder = Path.of(ConsoleFilesTest.class.getResource("console/index.html").toURI()).getParent();
      try (Stream<Path> all = Files.walk(folder)) {
        Map<String, String> files = new TreeMap<>();
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          files.put("/console/" + folder.relativize(file).toString().replace('\\', '/'), Files.readString(file));
        }
        return files;
      }
    } catch (IOException | java.net.URISyntaxException unreadable) {
      throw new IllegalStateException(unreadable);
    }
  }

  private static Set<String> references(String path) {
    Set<String> references = new TreeSet<>();
    imports(path).forEach(reference -> references.add(reference.path()));
    LINK.matcher(FILES.get(path)).results().forEach(link -> references.add(link.group(1)));
    return references;
  }

  private record Import(String path, List<String> names) { }

  private static List<Import> imports(String path) {
    if (!path.endsWith(".js")) {
      return List.of();
    }
    return IMPORT.matcher(FILES.get(path)).results().map(found -> new Import(
        URI.create(path).resolve(found.group(2) != null ? found.group(2) : found.group(3)).toString(),
        found.group(1) == null ? List.of()
            : Arrays.stream(found.group(1).split(",")).map(name -> name.trim().split(" as ")[0]).filter(name -> !name.isEmpty()).toList()))
        .toList();
  }

  private static Set<String> exports(String path) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = EXPORT.matcher(FILES.get(path));
    while (matcher.find()) {
      names.addAll(matcher.group(1) != null ? List.of(matcher.group(1))
          : Arrays.stream(matcher.group(2).split(",")).map(String::trim).toList());
    }
    return names;
  }

  @Test
  void shouldBeServedEachUnderItsType() {
    assertThat(FILES).hasSizeGreaterThan(20).allSatisfy((path, text) ->
        assertThat(StaticFile.read(path.substring(1)).contentType()).isEqualTo(TYPES.get(path.substring(path.lastIndexOf('.') + 1))));
  }

  @Test
  void shouldNameOnlyWhatIsThere() {
    assertThat(FILES).allSatisfy((path, text) -> assertThat(references(path)).allSatisfy(reference -> {
      if (reference.startsWith("/lib/")) {
        assertThat(StaticFile.bytes(Library.resource(reference.substring("/lib/".length())).orElseThrow())).isNotEmpty();
      } else if (reference.startsWith("/console/")) {
        assertThat(FILES).containsKey(reference);
      } else {
        assertThat(reference).isEqualTo("/metaq.js");
      }
    }));
  }

  @Test
  void shouldImportOnlyWhatIsExported() {
    assertThat(FILES).allSatisfy((path, text) -> assertThat(imports(path)).allSatisfy(reference -> {
      if (FILES.containsKey(reference.path())) {
        assertThat(exports(reference.path())).containsAll(reference.names());
      }
    }));
  }

  @Test
  void shouldHaveNoFileThatNothingLeadsTo() {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of("/console/index.html"));
    while (!open.isEmpty()) {
      String path = open.pop();
      if (FILES.containsKey(path) && reached.add(path)) {
        open.addAll(references(path));
      }
    }

    assertThat(reached).isEqualTo(FILES.keySet());
  }

  @Test
  void shouldPutNothingIntoAPageButText() {
    assertThat(FILES.entrySet().stream()
        .filter(file -> Stream.of("innerHTML", "unsafeHTML", "unsafeSVG", "insertAdjacentHTML", "document.write", "eval(", " style=", "onclick=")
            .anyMatch(file.getValue()::contains))
        .map(Map.Entry::getKey).collect(Collectors.toSet())).isEmpty();
    assertThat(FILES.get("/console/index.html")).doesNotContainPattern("<script(?![^>]*src=)").doesNotContain("<style");
  }

  @Test
  void shouldBeReadable() {
    assertThat(FILES).allSatisfy((path, text) -> {
      if (!path.endsWith(".svg")) {
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(LONGEST_LINE));
      }
    });
    assertThat(FILES.values().stream().mapToInt(text -> text.getBytes(StandardCharsets.UTF_8).length).sum())
        .as("bytes of all files").isLessThan(200_000);
  }
}
