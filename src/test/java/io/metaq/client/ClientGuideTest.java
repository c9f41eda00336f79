package io.metaq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What docs/client.md says beside what the classes say. */
class ClientGuideTest {
  private static final Path GUIDE = Path.of("docs", "client.md");

  @Test
  void shouldTellOfEveryReasonOfAFailureInTheirOrder() throws Exception {
    List<String> told = rows("## Failures");

    assertThat(told).containsExactlyElementsOf(Stream.of(MetaqException.Reason.values()).map(Enum::name).toList());
  }

  @Test
  void shouldTellOfEveryStageOfAReceipt() throws Exception {
    String guide = Files.readString(GUIDE);

    assertThat(SendReceipt.Stage.values()).allSatisfy(stage -> assertThat(guide).contains("`" + stage + "`"));
  }

  @Test
  void shouldTellTheBoundsThatOptionsHave() throws Exception {
    MetaqClientOptions options = new MetaqClientOptions();

    assertThat(Files.readString(GUIDE))
        .contains("`setMaxInFlight` (" + String.format(Locale.ROOT, "%,d", options.getMaxInFlight()) + " messages)")
        .contains("`setMaxInFlightBytes` (" + (options.getMaxInFlightBytes() >> 20) + " MiB)")
        .contains("`setMaxBodyBytes` (" + (options.getMaxBodyBytes() >> 20) + " MiB")
        .contains("`setSendTimeout` (" + options.getSendTimeout().toSeconds() + " s)")
        .contains("(" + (options.getCompressFromBytes() >> 10) + " KiB)");
  }

  /** First cells of the table below a heading that are in code type. */
  private static List<String> rows(String heading) throws Exception {
    String guide = Files.readString(GUIDE);
    return guide.substring(guide.indexOf(heading)).lines()
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.split("`")[1])
        .toList();
  }
}
