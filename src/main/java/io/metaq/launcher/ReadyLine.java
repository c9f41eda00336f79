package io.metaq.launcher;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The one line a process prints on standard output when every role of it accepts connections. */
final class ReadyLine {
  private ReadyLine() {}

  /**
   * @param hint more the user should know, empty when nothing
   */
  static String of(List<Endpoint> endpoints, long startNs, String hint) {
    String addresses = endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
    String seconds = BigDecimal.valueOf(startNs, 9).setScale(2, RoundingMode.HALF_UP).toPlainString();
    String line = "MetaQ ready: " + addresses + " (after " + seconds + " s)";
    return hint.isEmpty() ? line : line + "; " + hint;
  }

  /** What a broker in a container should be told when nobody has set its address; empty elsewhere. */
  static String containerHint() {
    boolean container = Files.exists(Path.of("/.dockerenv")) || Files.exists(Path.of("/run/.containerenv"));
    return container
        ? "clients outside this container reach the broker only when METAQ_BROKER_IP1 is set to an address they can reach"
        : "";
  }
}
