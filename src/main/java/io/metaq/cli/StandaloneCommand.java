package io.metaq.cli;

import io.metaq.launcher.Descriptor;
import io.metaq.launcher.Launcher;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Name server, broker and bridge in one process. */
@Command(
    name = "standalone",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Runs name server, broker and HTTP bridge in one process. The default command.")
final class StandaloneCommand implements ServerCommand {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(names = "--data", paramLabel = "DIR", description = "Folder of all data; metaq-data by default.")
  private String data;

  @Option(names = "--namesrv-port", paramLabel = "PORT", description = "Port of the name server; 9876 by default, 0 = any.")
  private String nameServerPort;

  @Option(names = "--port", paramLabel = "PORT", description = "Port of the broker; 10911 by default, 0 = any.")
  private String port;

  @Override
  public boolean take(String option, String value) {
    switch (option) {
      case "--data" -> data = value;
      case "--namesrv-port" -> nameServerPort = value;
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
    options.put("namesrvListenPort", nameServerPort);
    options.put("listenPort", port);
    Launcher.run(Descriptor.packed("standalone"), server.sources(options));
  }
}
