package io.metaq.cli;

import io.metaq.launcher.Descriptor;
import io.metaq.launcher.Launcher;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A name server alone. */
@Command(
    name = "nameserver",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Runs a name server.")
final class NameServerCommand implements ServerCommand {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(names = "--data", paramLabel = "DIR", description = "Folder of its key-value file; metaq-data by default.")
  private String data;

  @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; 9876 by default, 0 = any.")
  private String port;

  @Override
  public boolean take(String option, String value) {
    switch (option) {
      case "--data" -> data = value;
      case "--port" -> port = value;
      default -> {
        return server.take(option, value);
      }
    }
    return true;
  }

  @Override
  public void run() {
    Map<String, String> options = new HashMap<>();
    options.put("storePathRootDir", data);
    options.put("namesrvListenPort", port);
    Launcher.run(Descriptor.packed("nameserver"), server.sources(options));
  }
}
