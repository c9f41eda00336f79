package io.metaq.cli;

import java.util.Optional;
import picocli.CommandLine.Option;

/** Options that say at which brokers something is made. */
final class BrokerChoice {
  @Option(names = "--cluster", paramLabel = "CLUSTER", description = "Only at the masters of this cluster.")
  private String cluster;

  @Option(names = "--broker", paramLabel = "BROKER", description = "Only at the master of this name.")
  private String broker;

  Optional<String> cluster() {
    return Optional.ofNullable(cluster);
  }

  Optional<String> broker() {
    return Optional.ofNullable(broker);
  }

  /** As the end of a sentence. */
  String words() {
    if (broker != null) {
      return "broker '" + broker + "'";
    }
    return cluster == null ? "every master" : "every master of cluster '" + cluster + "'";
  }
}
