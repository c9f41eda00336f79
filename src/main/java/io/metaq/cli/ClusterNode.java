package io.metaq.cli;

import io.metaq.launcher.StartFailure;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** One node of a cluster: a child process, a thread that passes its lines on, and what became of it. */
final class ClusterNode {
  private static final Path SHELL = Path.of("/bin/sh");

  private final ClusterPlan.Node plan;
  private final Process process;
  private final CompletableFuture<Void> ready = new CompletableFuture<>();
  private final CompletableFuture<Integer> ended = new CompletableFuture<>();

  private ClusterNode(ClusterPlan.Node plan, Process process) {
    this.plan = plan;
    this.process = process;
  }

  /**
   * Starts the process with the JVM and class path of this one.
   *
   * @param index its place among all nodes
   */
  static ClusterNode start(ClusterPlan.Node plan, int index, NodeConsole console) {
    try {
      Process process = new ProcessBuilder(command(plan)).redirectErrorStream(true).start();
      ClusterNode node = new ClusterNode(plan, process);
      Thread lines = new Thread(() -> node.passOn(index, console), "metaq-node-" + plan.name());
      lines.setDaemon(true);
      lines.start();
      return node;
    } catch (IOException failure) {
      throw new StartFailure("the process of " + plan.name() + " cannot be started: " + failure.getMessage(), failure);
    }
  }

  /** Ctrl-C reaches every process of a terminal; the nodes leave it to their parent, which knows the order, to stop them. */
  private static List<String> command(ClusterPlan.Node plan) {
    List<String> command = new ArrayList<>();
    if (Files.isExecutable(SHELL)) {
      command.addAll(List.of(SHELL.toString(), "-c", "trap '' INT; exec \"$@\"", "metaq"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(plan.jvm());
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-D" + ParentWatch.PROPERTY + "=true");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(plan.arguments());
    return command;
  }

  ClusterPlan.Node plan() {
    return plan;
  }

  long pid() {
    return process.pid();
  }

  /** Completes with the ready line; fails when the process ended before. */
  CompletableFuture<Void> ready() {
    return ready;
  }

  /** Completes with the exit status when the process has ended and its last line was passed on. */
  CompletableFuture<Integer> ended() {
    return ended;
  }

  /** Asks the process to end in order; by its handle, because {@code Process.destroy} would also cut off its last lines. */
  void stop() {
    process.toHandle().destroy();
  }

  /** Ends the process at once. */
  void kill() {
    process.destroyForcibly();
  }

  private void passOn(int index, NodeConsole console) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        console.line(index, plan.name(), line);
        if (line.startsWith("MetaQ ready")) {
          ready.complete(null);
        }
      }
    } catch (IOException cutOff) {
      console.line(index, plan.name(), "its lines cannot be read any more: " + cutOff.getMessage());
    }
    int status = status();
    ready.completeExceptionally(new CommandFailure(plan.name() + " ended with status " + status + " before it was ready"));
    ended.complete(status);
  }

  private int status() {
    try {
      return process.waitFor(1, TimeUnit.MINUTES) ? process.exitValue() : -1;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }
}
