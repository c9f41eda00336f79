package io.metaq.it.peer;

import io.metaq.FreePorts;
import io.metaq.it.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A name server or a broker of Apache RocketMQ, run as a child process with the class path of this test JVM. */
final class OfficialServer implements AutoCloseable {

  private static final Duration START_LIMIT = Duration.ofSeconds(120);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final List<String> OPENED_FOR_ITS_MAPPED_FILES = List.of("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED", "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");

  /** A name server says so when it listens, a broker when the name servers have heard of it, too. */
  private static final String READY = "boot success";

  private final Process process;
  private final Path out;
  private final int port;

  private OfficialServer(Process process, Path out, int port) {
    this.process = process;
    this.out = out;
    this.port = port;
  }

  static OfficialServer nameserver(Path folder) throws Exception {
    return nameserver(folder, List.of());
  }

  /** With further arguments of its JVM. */
  static OfficialServer nameserver(Path folder, List<String> jvm) throws Exception {
    int port = FreePorts.next();
    return start(folder, "org.apache.rocketmq.namesrv.NamesrvStartup", jvm, port, """
        listenPort=%d
        kvConfigPath=%s
        configStorePath=%s
        """.formatted(port, folder.resolve("kv.json"), folder.resolve("namesrv.properties")));
  }

  static OfficialServer broker(Path folder, String namesrv) throws Exception {
    return broker(folder, namesrv, "");
  }

  /** With further lines of broker.conf. */
  static OfficialServer broker(Path folder, String namesrv, String further) throws Exception {
    return broker(folder, namesrv, further, List.of());
  }

  /** With further lines of broker.conf, and further arguments of its JVM. */
  static OfficialServer broker(Path folder, String namesrv, String further, List<String> jvm) throws Exception {
    // With those it opens beside it.
    int port = FreePorts.next(-2, 1);
    return start(folder, "org.apache.rocketmq.broker.BrokerStartup", jvm, port, """
        brokerClusterName=PeerCluster
        brokerName=peer-broker
        brokerIP1=127.0.0.1
        listenPort=%d
        namesrvAddr=%s
        storePathRootDir=%s
        storePathCommitLog=%s
        mappedFileSizeCommitLog=67108864
        %s
        """.formatted(port, namesrv, folder.resolve("store"), folder.resolve("store").resolve("commitlog"), further));
  }

  private static OfficialServer start(Path folder, String mainClass, List<String> jvm, int port, String configuration) throws Exception {
    Files.createDirectories(folder);
    Path file = Files.writeString(folder.resolve("server.conf"), configuration);
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Duser.home=" + folder, "-Drocketmq.home.dir=" + folder));
    command.addAll(OPENED_FOR_ITS_MAPPED_FILES);
    command.addAll(jvm);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass, "-c", file.toString()));
    Path out = folder.resolve("server.out");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    OfficialServer server = new OfficialServer(process, out, port);
    Await.until(mainClass + " is ready on " + port, START_LIMIT, server::isReady);
    return server;
  }

  private boolean isReady() throws IOException {
    if (!process.isAlive()) {
      throw new AssertionError("ended with status " + process.exitValue() + ":\n" + Files.readString(out));
    }
    return Files.readString(out).contains(READY);
  }

  int port() {
    return port;
  }

  String address() {
    return "127.0.0.1:" + port;
  }

  /** SIGTERM, and the wait for its end in order. */
  void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("did not stop within " + STOP_LIMIT.toSeconds() + " s");
    }
  }

  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
