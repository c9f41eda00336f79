package io.metaq;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What an application gets with the dependency. */
class PomTest {
  @Test
  void shouldBringAnApplicationOnlyWhatItsClientNeeds() throws Exception {
    Element project = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(Path.of("pom.xml").toFile()).getDocumentElement();

    List<String> brought = children(child(project, "dependencies").orElseThrow(), "dependency").stream()
        .filter(dependency -> !text(dependency, "optional").equals("true"))
        .filter(dependency -> List.of("", "compile", "runtime").contains(text(dependency, "scope")))
        .map(dependency -> text(dependency, "artifactId"))
        .toList();

    assertThat(brought).containsExactlyInAnyOrder("vertx-core", "jackson-core", "mutiny", "slf4j-api");
  }

  private static String text(Element parent, String name) {
    return child(parent, name).map(Node::getTextContent).map(String::strip).orElse("");
  }

  private static Optional<Element> child(Element parent, String name) {
    return children(parent, name).stream().findFirst();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }
}
