package io.metaq.torture;

import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker with its name server in a process of its own. Whatever happens, it is ended with this process. */
@OwnedBy("the thread of the round")
final class BrokerChild implements AutoCloseable {
  private static final Pattern NAME_SERVER = Pattern.compile("MetaQ ready: name server [^,]*:(\\d+),");
  private static final int READY_LIMIT_S = 60;
  private static final int STOP_LIMIT_S = 20;
  private static final int LOOK_EVERY_MS = 20;
  private static final int SHOWN_LINES = 40;

  private final Process process;
  private final Path out;
  private final Path log;
  private final Thread atEnd;

  private BrokerChild(Process process, Path out, Path log) {
    this.process = process;
    this.out = out;
    this.log = log;
    this.atEnd = new Thread(process::destroyForcibly, "metaq-torture-end");
    Runtime.getRuntime().addShutdownHook(atEnd);
  }

  /**
   * Starts one.
   *
   * @param program how our program is run, without its arguments
   * @param keys of the configuration, each as {@code key=value}
   * @param name of its output files, beside the store
   */
  static BrokerChild start(List<String> program, Path store, List<String> keys, String name) throws IOException {
    Path out = store.resolveSibling(name + ".out");
    Path log = store.resolveSibling(name + ".log");
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of("standalone", "--data", store.toString(), "--port", "0", "--namesrv-port", "0", "--http-port", "0"));
    keys.forEach(key -> command.addAll(List.of("-D", key)));
    return new BrokerChild(
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(log.toFile()).start(), out, log);
  }

  /**
   * Waits until it serves.
   *
   * @return the address of its name server
   * @throws IOException when it has ended, or does not come to it in a minute
   */
  String awaitReady() throws IOException {
    for (int waitedMs = 0; waitedMs < READY_LIMIT_S * 1_000; waitedMs += LOOK_EVERY_MS) {
      boolean ended = endsWithin(LOOK_EVERY_MS);
      Matcher ready = NAME_SERVER.matcher(Files.readString(out));
      if (ready.find()) {
        return "127.0.0.1:" + ready.group(1);
      }
      if (ended) {
        throw fault("ended with status " + process.exitValue());
      }
    }
    throw fault("was not ready after " + READY_LIMIT_S + " s");
  }

  /** Lets it run for some time, whatever it does. */
  boolean endsWithin(long ms) throws IOException {
    try {
      return process.waitFor(ms, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
  }

  /** kill -9. */
  void kill() throws IOException {
    process.destroyForcibly();
    if (!endsWithin(STOP_LIMIT_S * 1_000L)) {
      throw new IOException("the broker cannot be killed, process " + process.pid());
    }
  }

  /**
   * SIGTERM.
   *
   * @throws IOException when it does not end in order
   */
  void stop() throws IOException {
    process.toHandle().destroy();
    if (!endsWithin(STOP_LIMIT_S * 1_000L) || process.exitValue() != 0) {
      throw fault("did not stop in order");
    }
  }

  /** With the last of what the broker said: whoever reads of it has not always the file. */
  private IOException fault(String what) throws IOException {
    List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8).lines().toList();
    String last = String.join("\n    ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    return new IOException("the broker " + what + ", see " + log + (last.isEmpty() ? "" : ", which ends:\n    " + last));
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException ending) {
      // the hook does its work
    }
  }
}
