package io.metaq.it;

import io.metaq.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One MetaQ process, started from the packaged jar as a user would start it. Tests kill it, stop it and start it again on the
 * same ports and the same data. What it prints is kept under {@code target/it-logs}.
 */
public final class BrokerProcess implements AutoCloseable {

  /** How a start that was refused ended. */
  public record Refusal(int exitCode, String standardOutput, String standardError) {
  }

  private static final Duration START_LIMIT = Duration.ofSeconds(120);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(90);
  private static final Pattern LOG_LINE = Pattern.compile("^\\S+ (TRACE|DEBUG|INFO|WARN|ERROR) ");
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Launch launch;
  private Process process;
  private Path out;
  private Path err;
  private Ports ports;

  private BrokerProcess(Launch launch) {
    this.launch = launch;
  }

  /** The ports of a process; 0 means "not served" after its start. */
  private record Ports(int namesrv, int broker, int http) {
    /** Ports that are still free when the process comes back; the broker opens the one two below its own, too. */
    static Ports fresh() {
      return new Ports(FreePorts.next(), FreePorts.next(-2), FreePorts.next());
    }
  }

  /** Name server and broker in one process. */
  public static Launch standalone(Path dataFolder) {
    return new Launch("standalone").argument("--data", dataFolder.toString());
  }

  public static Launch nameserver() {
    return new Launch("nameserver");
  }

  /** A broker alone, under the name servers of {@code namesrvAddresses}. */
  public static Launch broker(Path dataFolder, String namesrvAddresses) {
    return new Launch("broker").argument("--data", dataFolder.toString(), "-n", namesrvAddresses);
  }

  /** HTTP alone, in front of the brokers of {@code namesrvAddresses}. */
  public static Launch bridge(String namesrvAddresses) {
    return new Launch("bridge").argument("-n", namesrvAddresses);
  }

  /** What a process is started with. */
  public static final class Launch {
    private final String role;
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private final Map<String, String> keys = new TreeMap<>();
    private List<String> wrapper = List.of();

    private Launch(String role) {
      this.role = role;
    }

    public Launch jvm(String... options) {
      jvmOptions.addAll(List.of(options));
      return this;
    }

    public Launch argument(String... values) {
      arguments.addAll(List.of(values));
      return this;
    }

    /** A configuration key, given as {@code -D key=value}. */
    public Launch key(String key, Object value) {
      keys.put(key, value.toString());
      return this;
    }

    /** A command that runs ours, for example to take rights away from it. */
    public Launch under(String... command) {
      wrapper = List.of(command);
      return this;
    }

    /** Starts the process and waits until it says that it is ready. */
    public BrokerProcess start() throws Exception {
      BrokerProcess started = new BrokerProcess(this);
      started.launchAndAwaitReady(Ports.fresh());
      return started;
    }

    /** Starts a process that is expected to refuse, and waits for its end. */
    public Refusal startRefused() throws Exception {
      try (BrokerProcess refused = new BrokerProcess(this)) {
        refused.launch(Ports.fresh());
        if (!refused.process.waitFor(START_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
          throw new AssertionError("a start that must be refused goes on: " + refused.standardOutput() + refused.standardError());
        }
        return new Refusal(refused.process.exitValue(), refused.standardOutput(), refused.standardError());
      }
    }

    private List<String> command(Ports ports) {
      List<String> command = new ArrayList<>(wrapper);
      command.addAll(MetaqJar.command(jvmOptions, List.of(role)));
      if (role.equals("bridge")) {
        command.addAll(List.of("-D", "httpPort=" + ports.http()));
      } else {
        addPort(command, "--port", role.equals("nameserver") ? ports.namesrv() : ports.broker());
      }
      if (role.equals("standalone")) {
        addPort(command, "--namesrv-port", ports.namesrv());
        addPort(command, "--http-port", ports.http());
      }
      command.addAll(arguments);
      if (!role.equals("nameserver") && !role.equals("bridge") && !keys.containsKey("haListenPort")) {
        // The port behind the broker's is anybody's on a machine that runs tests.
        command.addAll(List.of("-D", "haListenPort=0"));
      }
      keys.forEach((key, value) -> command.addAll(List.of("-D", key + "=" + value)));
      return command;
    }

    private void addPort(List<String> command, String option, int port) {
      if (!arguments.contains(option)) {
        command.addAll(List.of(option, Integer.toString(port)));
      }
    }
  }

  /** Starts it again, on the ports it had, when it was killed or stopped before. */
  public void startAgain() throws Exception {
    launchAndAwaitReady(ports);
  }

  /** As {@link #startAgain()}, with one key changed. */
  public void startAgainWith(String key, Object value) throws Exception {
    launch.key(key, value);
    startAgain();
  }

  /** SIGKILL, as {@code kill -9} gives it. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** SIGTERM; returns the exit status. */
  public int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("did not stop within " + STOP_LIMIT.toSeconds() + " s");
    }
    return process.exitValue();
  }

  public boolean alive() {
    return process.isAlive();
  }

  /** Of one that has ended. */
  public int exitStatus() {
    return process.exitValue();
  }

  public int namesrvPort() {
    return ports.namesrv();
  }

  public int brokerPort() {
    return ports.broker();
  }

  public int httpPort() {
    return ports.http();
  }

  public String namesrv() {
    return "127.0.0.1:" + ports.namesrv();
  }

  public String standardOutput() {
    return read(out);
  }

  public String standardError() {
    return read(err);
  }

  /** The lines of its log, without the stacks of exceptions, and without reports of loops that a busy machine stopped. */
  public List<String> logLines() {
    return standardError().lines().filter(line -> LOG_LINE.matcher(line).find() && !line.contains("BlockedThreadChecker")).toList();
  }

  /** Resident memory that no file stands behind (heap, direct memory, code), in bytes. */
  public long anonymousMemoryBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      if (line.startsWith("RssAnon:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    throw new IOException("no RssAnon of process " + process.pid());
  }

  /** Files, sockets and the like that it has open. */
  public int openFiles() throws IOException {
    try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return (int) descriptors.count();
    }
  }

  /** Areas of its memory, of which the system grants only so many. */
  public int memoryAreas() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "maps")).size();
  }

  /** What Vert.x reported of event loops that did not come back in time, as far as it was no starved machine. */
  public List<BlockedLoop> blockedLoops() {
    return BlockedLoop.reportedIn(standardError());
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      kill();
    }
  }

  private void launchAndAwaitReady(Ports wanted) throws Exception {
    launch(wanted);
    Await.until("the line MetaQ ready, or the end of the process", START_LIMIT,
        () -> readyLine() != null || !process.isAlive());
    String ready = readyLine();
    if (ready == null) {
      throw new AssertionError("ended with status " + process.exitValue() + ":\n" + standardOutput() + standardError());
    }
    ports = new Ports(portIn(ready, "name server"), portIn(ready, "broker"), portIn(ready, "http"));
  }

  private void launch(Ports wanted) throws IOException {
    Path logs = Files.createDirectories(Path.of("target", "it-logs"));
    String name = ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    out = logs.resolve(name + ".out");
    err = logs.resolve(name + ".err");
    process = new ProcessBuilder(launch.command(wanted)).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    process.getOutputStream().close();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
  }

  private String readyLine() {
    return standardOutput().lines().filter(line -> line.startsWith("MetaQ ready") && line.contains(" s)")).findFirst().orElse(null);
  }

  private static int portIn(String readyLine, String role) {
    Matcher matcher = Pattern.compile("(?i)" + role + "\\D[^,;]*?:(\\d+)\\b").matcher(readyLine);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  private static String read(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
