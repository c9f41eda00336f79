package io.metaq.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in documents, pasted and run as a new user would. */
@Timeout(120)
class DocumentedProgramsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\\n(import .*?)^```");
  private static final Pattern CLASS_NAME = Pattern.compile("(?m)^(?:public )?class (\\w+)");

  @TempDir
  Path folder;

  @Test
  void shouldPrintWhatTheReadmesProgramReceives() throws Exception {
    EmbeddedMetaq metaq = EmbeddedMetaq.start().await().atMost(LIMIT);
    String program = program("README.md").replace("localhost:9876", metaq.nameServers());
    String className = compiled(program);

    String printed = printedBy(className);

    assertThat(printed.strip()).isEqualTo("first message");
    metaq.close().await().atMost(LIMIT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/first-steps.md"})
  void shouldCompileWhatDocumentsShow(String document) throws Exception {
    assertThat(compiled(program(document))).isEqualTo("FirstStepsTest");
  }

  private static String program(String document) throws IOException {
    return one(PROGRAM, Files.readString(Path.of(document)));
  }

  /** Gives the name of the class. */
  private String compiled(String program) throws IOException {
    String className = one(CLASS_NAME, program);
    Path source = Files.writeString(folder.resolve(className + ".java"), program);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter complaints = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      Iterable<? extends JavaFileObject> sources = files.getJavaFileObjects(source);
      List<String> options = List.of("-proc:none", "-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
      boolean compiles = compiler.getTask(complaints, files, null, options, null, sources).call();
      assertThat(compiles).as(complaints.toString()).isTrue();
    }
    return className;
  }

  private String printedBy(String className) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, getClass().getClassLoader())) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      loader.loadClass(className).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }

  private static String one(Pattern pattern, String text) {
    List<String> found = pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).toList();
    assertThat(found).as("programs").hasSize(1);
    return found.get(0);
  }
}
