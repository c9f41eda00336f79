package io.metaq.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/configuration.md and the README's table against the list of keys. {@code mvn test -Dtest=ConfigurationDocTest
 * -Dmetaq.docs.write=true} writes the former anew.
 */
class ConfigurationDocTest {
  private static final Path DOC = Path.of("docs/configuration.md");
  /** An empty one before the first bar, then key, default, meaning. */
  private static final int KEY_ROW_CELLS = 4;
  private static final String MARK = "<!-- Below this line: made from config-keys.json by ConfigurationDocTest. -->\n";

  @Test
  void shouldDescribeEveryKeyAsTheListDoes() throws IOException {
    String found = Files.readString(DOC);
    String expected = found.substring(0, found.indexOf(MARK)) + MARK + tables();
    if (Boolean.getBoolean("metaq.docs.write")) {
      Files.writeString(DOC, expected);
    }

    assertThat(Files.readString(DOC)).isEqualTo(expected);
  }

  @Test
  void shouldShowTrueDefaultsInTheReadme() throws IOException {
    Map<String, ConfigKey> keys = ConfigKeys.load().all().stream().collect(Collectors.toMap(ConfigKey::name, key -> key));
    List<String[]> rows = Files.readAllLines(Path.of("README.md")).stream()
        .filter(line -> line.matches("\\| `[A-Za-z0-9]+` \\| .*"))
        .map(line -> line.split("\\s*\\|\\s*"))
        .filter(row -> row.length == KEY_ROW_CELLS)
        .toList();

    assertThat(rows).hasSizeGreaterThan(5).allSatisfy(row -> {
      String name = row[1].replace("`", "");
      assertThat(keys).containsKey(name);
      assertThat(keys.get(name).honoured()).as(name).isTrue();
      keys.get(name).defaultValue().ifPresent(value -> assertThat(row[2].replace("`", "")).as(name).isEqualTo(value));
    });
  }

  private static String tables() {
    Map<String, StringBuilder> sections = new LinkedHashMap<>();
    for (ConfigKey key : ConfigKeys.load().all()) {
      sections.computeIfAbsent(key.section(), section -> new StringBuilder("\n## " + section.substring(0, 1).toUpperCase()
          + section.substring(1) + "\n\n| key | read by | type | default | effect | meaning |\n|---|---|---|---|---|---|\n"))
          .append(row(key));
    }
    return String.join("", sections.values());
  }

  private static String row(ConfigKey key) {
    String readers = key.components().isEmpty()
        ? "every process" : key.components().stream().map(Component::words).sorted().collect(Collectors.joining(", "));
    String type = key.type() == ValueType.CHOICE ? String.join(", ", key.values()) : key.type().label();
    String unit = key.unit().map(name -> ", " + name).orElse("");
    String refused = key.refused().entrySet().stream().sorted(Map.Entry.comparingByKey())
        .map(entry -> " " + (entry.getKey().equals("*") ? "Any value" : "`" + entry.getKey() + "`") + " is refused: "
            + entry.getValue() + ".")
        .collect(Collectors.joining());
    String alias = key.alias().map(name -> " Also known as `" + name + "`.").orElse("");
    return "| `" + key.name() + "` | " + readers + " | " + type + unit + " | "
        + key.defaultValue().map(value -> "`" + value + "`").orElse("") + " | " + effect(key) + " | "
        + key.text().replace("|", "\\|") + refused + alias + " |\n";
  }

  private static String effect(ConfigKey key) {
    return key.honoured() ? key.live() ? "yes, live" : "yes" : "none";
  }
}
