package io.metaq.launcher;

/**
 * What a process listens on, 0 for what it does not have.
 *
 * @param nameServer {@code namesrvListenPort}
 * @param broker {@code listenPort}
 * @param replication {@code haListenPort}
 */
record Ports(int nameServer, int broker, int replication) {
  static final Ports NONE = new Ports(0, 0, 0);

  /** The port of a key. */
  int of(String key) {
    return switch (key) {
      case "namesrvListenPort" -> nameServer;
      case "listenPort" -> broker;
      case "haListenPort" -> replication;
      default -> throw new IllegalArgumentException(key + " is not the key of a port");
    };
  }
}
