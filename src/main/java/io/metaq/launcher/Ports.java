package io.metaq.launcher;

import io.metaq.broker.BrokerVerticle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a process listens on, 0 for what it does not have.
 *
 * @param nameServer {@code namesrvListenPort}
 * @param broker {@code listenPort}
 * @param replication {@code haListenPort}
 * @param http {@code httpPort}
 */
record Ports(int nameServer, int broker, int replication, int http) {
  static final Ports NONE = new Ports(0, 0, 0, 0);

  /**
   * Refuses ports that are not different: servers of one process on the same port would share its connections, each getting some.
   *
   * @throws StartFailure names both keys
   */
  Ports {
    List<Use> uses = List.of(new Use("namesrvListenPort", nameServer), new Use("listenPort", broker), new Use("haListenPort", replication),
        new Use("httpPort", http),
        new Use("older clients' VIP channel, " + BrokerVerticle.VIP_PORT_DISTANCE + " below listenPort", vip(broker)));
    Map<Integer, String> taken = new HashMap<>();
    for (Use use : uses) {
      String other = use.port() <= 0 ? null : taken.put(use.port(), use.what());
      if (other != null) {
        throw new StartFailure("port " + use.port() + " is wanted twice: " + other + " and " + use.what() + "; each needs one of its own");
      }
    }
  }

  private record Use(String what, int port) {}

  private static int vip(int broker) {
    return broker - BrokerVerticle.VIP_PORT_DISTANCE;
  }

  /** The port of a key. */
  int of(String key) {
    return switch (key) {
      case "namesrvListenPort" -> nameServer;
      case "listenPort" -> broker;
      case "haListenPort" -> replication;
      case "httpPort" -> http;
      default -> throw new IllegalArgumentException(key + " is not the key of a port");
    };
  }
}
