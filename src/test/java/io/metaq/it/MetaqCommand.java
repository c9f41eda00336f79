package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command of the packaged jar, run to its end as a user would. */
public final class MetaqCommand {
  private static final Duration LIMIT = Duration.ofSeconds(120);

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

  /** A command that runs until it is told to stop. */
  public static final class Running implements AutoCloseable {
    private final Process process;
    private final Path out;

    private Running(Process process, Path out) {
      this.process = process;
      this.out = out;
    }

    /** The whole lines it has printed so far. */
    public List<String> lines() throws IOException {
      String text = Files.readString(out, UTF_8);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Ends it as a user would who presses Ctrl+C, and waits for its end. */
    public void stop() throws InterruptedException {
      process.destroy();
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new AssertionError("did not end within " + LIMIT.toSeconds() + " s");
      }
    }

    @Override
    public void close() throws Exception {
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(out);
    }
  }

  /** Starts a command that goes on by itself. */
  public static Running start(String... arguments) throws Exception {
    Path out = Files.createTempFile("metaq-command", ".out");
    Process process = new ProcessBuilder(command(arguments)).redirectOutput(out.toFile())
        .redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    return new Running(process, out);
  }

  private static List<String> command(String... arguments) {
    return MetaqJar.command(List.of("-Xmx64m"), List.of(arguments));
  }

  public static Result run(String... arguments) throws Exception {
    List<String> command = command(arguments);
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
