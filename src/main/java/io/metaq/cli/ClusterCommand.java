package io.metaq.cli;

import io.metaq.model.Clock;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A whole cluster on this machine, each node a process of its own. */
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    versionProvider = VersionText.class,
    description = {
      "Runs a name server, masters and slaves on this machine, each a process of its own that can be killed; for trying a mode out.",
      "Clients on this machine use the name server's address of the ready line. Ctrl-C stops all of it."
    })
final class ClusterCommand implements Callable<Integer> {
  private static final int ENDED_BY_ITSELF = 1;

  @Option(names = "--masters", paramLabel = "N", defaultValue = "1", description = "Masters, each with a broker name of its own; 1 by default.")
  private int masters;

  @Option(names = "--slaves", paramLabel = "N", defaultValue = "0", description = "Slaves of each master; none by default.")
  private int slaves;

  @Option(names = "--sync", description = "A message is acknowledged when a slave has it, too.")
  private boolean sync;

  @Option(names = "--data", paramLabel = "DIR", defaultValue = "metaq-cluster",
      description = "Folder with a folder for each node; metaq-cluster by default.")
  private Path data;

  @Option(names = "--base-port", paramLabel = "PORT", defaultValue = "" + ClusterPlan.DEFAULT_BASE_PORT,
      description = "Port of the name server, 9876 by default; brokers begin 1035 above it (10911), 10 apart.")
  private int basePort;

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "One configuration key of every broker.")
  private Map<String, String> keys = Map.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Clock clock = Clock.system();
    long startedNs = clock.nanos();
    ClusterPlan.Wish wish = new ClusterPlan.Wish(masters, slaves, sync, data, basePort, keys);
    if (!wish.fault().isEmpty()) {
      throw new ParameterException(spec.commandLine(), wish.fault());
    }
    ClusterPlan plan = ClusterPlan.of(wish);
    int width = plan.nodes().stream().mapToInt(node -> node.name().length()).max().orElseThrow();
    NodeConsole console = new NodeConsole(System.err, Terminal.coloured(), width);
    Cluster cluster = new Cluster(plan, console, clock);
    AtomicBoolean failed = new AtomicBoolean();
    Runtime.getRuntime().addShutdownHook(
        new Thread(() -> Runtime.getRuntime().halt(cluster.stop() && !failed.get() ? 0 : 1), "metaq-stop"));
    try {
      cluster.start();
      System.out.println(readyLine(plan, clock.nanos() - startedNs));
      cluster.awaitEnd();
    } catch (CommandFailure failure) {
      console.announce(failure.getMessage());
    } finally {
      // The end of the process runs the hook, which stops what is left.
      failed.set(true);
    }
    return ENDED_BY_ITSELF;
  }

  private static String readyLine(ClusterPlan plan, long startNs) {
    String nodes = plan.nodes().stream().map(node -> node.what() + " " + node.address()).collect(Collectors.joining(", "));
    return "MetaQ ready: " + nodes + " (after " + BigDecimal.valueOf(startNs, 9).setScale(2, RoundingMode.HALF_UP).toPlainString() + " s)";
  }
}
