package io.metaq.cli;

import io.metaq.launcher.Descriptor;
import io.metaq.launcher.Launcher;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Whatever a descriptor says. */
@Command(
    name = "deploy",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = "Runs the verticles of a descriptor.")
final class DeployCommand implements Runnable {
  @Mixin private ServerOptions server;

  @Parameters(paramLabel = "DESCRIPTOR", description = "A file like verticles/standalone.json, or the name of a packed one.")
  private String descriptor;

  @Override
  public void run() {
    Launcher.run(Descriptor.load(descriptor), server.sources(Map.of()));
  }
}
