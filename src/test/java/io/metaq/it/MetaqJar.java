package io.metaq.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The packaged jar, and how tests run it: as users do, but for options of the JVM that spare the processor in processes that live for
 * seconds. The classes of a start are loaded from an archive, which the first process of a build makes; without it two thirds of the
 * time of most of these tests would be the loading of classes.
 */
public final class MetaqJar {
  private static final List<String> FOR_A_SHORT_LIFE = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
  private static final Duration TRAINING_LIMIT = Duration.ofSeconds(120);

  private MetaqJar() {
  }

  /** A command line that runs the jar; the options of the JVM are added to the usual ones. */
  public static List<String> command(List<String> jvmOptions, List<String> arguments) {
    return command(Archive.OPTIONS, jvmOptions, arguments);
  }

  /** A command line that runs the jar. */
  public static List<String> command(String... arguments) {
    return command(List.of(), List.of(arguments));
  }

  private static List<String> command(List<String> archive, List<String> jvmOptions, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FOR_A_SHORT_LIFE);
    command.addAll(archive);
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", jar().toString()));
    command.addAll(arguments);
    return command;
  }

  private static Path jar() {
    return Path.of(System.getProperty("metaq.jar", "target/metaq.jar")).toAbsolutePath();
  }

  /** Made once, and again when the jar or the JVM is another one. */
  private static final class Archive {
    private static final List<String> OPTIONS = options();

    private static List<String> options() {
      try {
        Path archive = jar().resolveSibling(
            "metaq-" + Files.getLastModifiedTime(jar()).toMillis() + "-" + Runtime.version().hashCode() + ".jsa");
        if (!Files.exists(archive)) {
          train(archive);
        }
        return List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Lets a process come up and end in order; the JVM writes the archive at the end. */
    private static void train(Path archive) throws IOException, InterruptedException {
      Path folder = Files.createTempDirectory("metaq-training");
      Path out = folder.resolve("out");
      Process process = new ProcessBuilder(command(List.of("-XX:ArchiveClassesAtExit=" + archive), List.of(), List.of(
          "standalone", "--data", folder.resolve("data").toString(), "--port", "0", "--namesrv-port", "0", "--http-port", "0",
          "-D", "haListenPort=0"))).redirectErrorStream(true).redirectOutput(out.toFile()).start();
      try {
        Await.until("the line MetaQ ready", TRAINING_LIMIT,
            () -> Files.readString(out).contains("MetaQ ready") || !process.isAlive());
        process.toHandle().destroy();
        if (!process.waitFor(TRAINING_LIMIT.toSeconds(), TimeUnit.SECONDS) || !Files.exists(archive)) {
          throw new IOException("no archive of classes was made:\n" + Files.readString(out));
        }
      } catch (IOException | InterruptedException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      } finally {
        process.destroyForcibly();
        delete(folder);
      }
    }

    private static void delete(Path folder) throws IOException {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
