package io.metaq.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.reactive.messaging.annotations.ConnectorAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of attributes in docs/quarkus.md is the connector's own. */
class ConnectorDocTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[a-z.-]+` \\| (?:in|out|both) \\| [^|]*)\\|");

  @Test
  void shouldDocumentEachAttributeWithItsDirectionAndDefault() throws Exception {
    List<String> declared = Stream.of(MetaqConnector.class.getAnnotationsByType(ConnectorAttribute.class)).map(ConnectorDocTest::row).toList();

    List<String> documented = ROW.matcher(Files.readString(Path.of("docs/quarkus.md"))).results()
        .map(row -> row.group(1).strip())
        .toList();

    assertThat(documented).containsExactlyElementsOf(declared);
  }

  private static String row(ConnectorAttribute attribute) {
    String of = switch (attribute.direction()) {
      case INCOMING -> "in";
      case OUTGOING -> "out";
      case INCOMING_AND_OUTGOING -> "both";
    };
    String otherwise = attribute.defaultValue().equals(ConnectorAttribute.NO_VALUE) ? "" : "`" + attribute.defaultValue() + "`";
    return ("`" + attribute.name() + "` | " + of + " | " + otherwise).strip();
  }
}
