package io.metaq.cli;

import io.metaq.launcher.BrokerDescriptor;
import io.metaq.launcher.Launcher;
import io.metaq.launcher.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A broker alone. */
@Command(
    name = "broker",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Runs a broker that registers with the name servers given: a master, or a slave with -D brokerRole=SLAVE -D brokerId=1.")
final class BrokerCommand implements ServerCommand {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(names = "-n", paramLabel = "HOST:PORT;...", description = "Name servers; the environment's NAMESRV_ADDR by default.")
  private String nameServers;

  @Option(names = "--data", paramLabel = "DIR", description = "Folder of all data; metaq-data by default.")
  private String data;

  @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; 10911 by default, 0 = any.")
  private String port;

  @Override
  public boolean take(String option, String value) {
    switch (option) {
      case "-n" -> nameServers = value;
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
    options.put("namesrvAddr", nameServers);
    options.put("storePathRootDir", data);
    options.put("listenPort", port);
    List<Source> sources = server.sources(options);
    Launcher.run(BrokerDescriptor.of(sources), sources);
  }
}
