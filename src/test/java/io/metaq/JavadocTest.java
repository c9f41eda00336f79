package io.metaq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.DocumentationTool;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Javadoc of what applications use, as the profile {@code release} of the pom makes it. */
class JavadocTest {
  private static final List<String> PUBLIC = List.of("client", "embedded", "messaging");

  @TempDir
  Path folder;

  @Test
  void shouldBeMadeWithoutAWarning() throws Exception {
    DocumentationTool javadoc = ToolProvider.getSystemDocumentationTool();
    StringWriter complaints = new StringWriter();
    try (StandardJavaFileManager files = javadoc.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<String> options = List.of(
          "-quiet", "-Werror", "-Xdoclint:all,-missing", "-notimestamp",
          "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));

      boolean made =
          javadoc.getTask(complaints, files, null, null, options, files.getJavaFileObjectsFromFiles(sources())).call();

      assertThat(made).as(complaints.toString()).isTrue();
    }
    assertThat(folder.resolve("io/metaq/client/MetaqClient.html")).exists();
  }

  private static List<File> sources() throws Exception {
    try (Stream<Path> all = Files.walk(Path.of("src/main/java/io/metaq"), 2)) {
      return all.filter(file -> file.toString().endsWith(".java") && PUBLIC.contains(file.getParent().getFileName().toString()))
          .map(Path::toFile)
          .toList();
    }
  }
}
