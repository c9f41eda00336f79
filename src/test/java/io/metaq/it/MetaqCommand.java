package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of the packaged jar, run to its end as a user would. */
public final class MetaqCommand {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private MetaqCommand() {
  }

  /** How it ended. */
  public record Result(int status, String out, String err) {
    /** The printed text of a command that succeeded. */
    public String text() {
      if (status != 0) {
        throw new AssertionError("status " + status + ": " + out + err);
      }
      return out;
    }

    public Object json() {
      return Json.parse(text());
    }
  }

  public static Result run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-jar", System.getProperty("metaq.jar", "target/metaq.jar")));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("metaq-command", ".out");
    Path err = Files.createTempFile("metaq-command", ".err");
    try {
      Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError("did not end within " + LIMIT.toSeconds() + " s: " + String.join(" ", arguments));
      }
      return new Result(process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
    } finally {
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    }
  }
}
