package io.metaq;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The first timer of a Vert.x has number 0. A field of a timer that was not set yet must not have that number: who cancels it ends the timer of
 * somebody else, such as the one by which the dispatcher writes its queues.
 */
class TimerFieldsTest {
  private static final Pattern UNSET = Pattern.compile("private (volatile )?long \\w*[tT]imer;");

  @Test
  void shouldHoldNoNumberOfATimerBeforeTheyAreSet() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      List<String> unset = sources.filter(path -> path.toString().endsWith(".java")).flatMap(TimerFieldsTest::unsetFields).toList();

      assertThat(unset).isEmpty();
    }
  }

  private static Stream<String> unsetFields(Path source) {
    try {
      return Files.readAllLines(source).stream().filter(line -> UNSET.matcher(line).find() && !line.contains("final"))
          .map(line -> source + ": " + line.strip());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
