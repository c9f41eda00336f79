package sample;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A MetaQ broker beside the tests, on free ports; its data goes with the build folder. */
public final class MetaqProcessResource implements QuarkusTestResourceLifecycleManager {
  private static final Pattern READY = Pattern.compile("MetaQ ready: name server (\\S+),");

  private Process broker;

  @Override
  public Map<String, String> start() {
    try {
      Path data = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "metaq-data");
      broker = new ProcessBuilder("java", "-jar", System.getProperty("metaq.jar"), "standalone", "--data", data.toString(),
          "--port", "0", "--namesrv-port", "0", "-D", "bindAddress=127.0.0.1")
          .redirectError(data.resolve("metaq.log").toFile())
          .start();
      BufferedReader output = broker.inputReader();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Matcher ready = READY.matcher(line);
        if (ready.find()) {
          return Map.of(
              "mp.messaging.connector.smallrye-metaq.name-servers", ready.group(1),
              "mp.messaging.incoming.mailbox.connector", "smallrye-metaq",
              "mp.messaging.incoming.mailbox.topic", "bills",
              "mp.messaging.incoming.mailbox.auto.offset.reset", "earliest");
        }
      }
      throw new IllegalStateException("the broker did not start, see " + data.resolve("metaq.log"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Override
  public void stop() {
    if (broker != null) {
      broker.destroy();
    }
  }
}
