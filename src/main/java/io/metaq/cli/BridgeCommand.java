package io.metaq.cli;

import io.metaq.launcher.Descriptor;
import io.metaq.launcher.Launcher;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A bridge alone. */
@Command(
    name = "bridge",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Runs HTTP, Server-Sent Events and WebSocket in front of a cluster, of MetaQ or RocketMQ; on port 8080 by default.")
final class BridgeCommand implements ServerCommand {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(names = "-n", paramLabel = "HOST:PORT;...", description = "Name servers; the environment's NAMESRV_ADDR by default.")
  private String nameServers;

  @Override
  public boolean take(String option, String value) {
    switch (option) {
      case "-n" -> nameServers = value;
      default -> {
        return server.take(option, value);
      }
    }
    return true;
  }

  @Override
  public void run() {
    Map<String, String> options = new HashMap<>();
    options.put("namesrvAddr", nameServers);
    Launcher.run(Descriptor.packed("bridge"), server.sources(options));
  }
}
