package io.metaq.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The nodes of a cluster on one machine, in tiers: each tier is started when the one before is ready, and stopped before it.
 *
 * <pre>
 *   name server   base
 *   first broker  base + 1035, the next ones 10 apart; beside each port p its VIP channel p - 2 and its replication p + 1
 * </pre>
 */
record ClusterPlan(List<List<Node>> tiers) {
  static final int MOST_MASTERS = 9;
  static final int MOST_SLAVES = 9;
  static final int DEFAULT_BASE_PORT = 9876;

  private static final String HOST = "127.0.0.1";
  private static final int FIRST_BROKER_DISTANCE = 1035;
  private static final int BROKER_DISTANCE = 10;
  private static final int LAST_PORT = 65_535;
  private static final List<String> NAME_SERVER_MEMORY = List.of("-Xmx64m");
  private static final List<String> BROKER_MEMORY = List.of("-Xmx192m", "-XX:MaxDirectMemorySize=192m");

  ClusterPlan {
    tiers = tiers.stream().map(List::copyOf).toList();
  }

  /**
   * One process.
   *
   * @param what for the ready line: {@code broker-a slave 1}
   * @param jvm options of its JVM
   * @param arguments of MetaQ's own command line
   */
  record Node(String name, String what, int port, List<String> jvm, List<String> arguments) {
    String address() {
      return HOST + ":" + port;
    }
  }

  /**
   * What a user wants.
   *
   * @param keys configuration of every broker
   */
  record Wish(int masters, int slaves, boolean sync, Path data, int basePort, Map<String, String> keys) {
    /** What is wrong with it, as a clause; empty when nothing is. */
    String fault() {
      if (masters < 1 || masters > MOST_MASTERS) {
        return "--masters must be from 1 to " + MOST_MASTERS + ", not " + masters;
      }
      if (slaves < 0 || slaves > MOST_SLAVES) {
        return "--slaves must be from 0 to " + MOST_SLAVES + ", not " + slaves;
      }
      if (sync && slaves == 0) {
        return "--sync needs --slaves 1 or more: a synchronous master answers when a slave has the message, too";
      }
      int lastPort = brokerPort(masters * (slaves + 1) - 1) + 1;
      if (basePort < 1 || lastPort > LAST_PORT) {
        return "--base-port must be from 1 to " + (LAST_PORT - (lastPort - basePort)) + " for so many nodes, not " + basePort;
      }
      return "";
    }

    private int brokerPort(int index) {
      return basePort + FIRST_BROKER_DISTANCE + index * BROKER_DISTANCE;
    }
  }

  /** The plan of a wish without fault. */
  static ClusterPlan of(Wish wish) {
    List<Node> masters = new ArrayList<>();
    List<Node> slaves = new ArrayList<>();
    int index = 0;
    for (int group = 0; group < wish.masters(); group++) {
      String name = "broker-" + (char) ('a' + group);
      String role = wish.sync() ? "SYNC_MASTER" : "ASYNC_MASTER";
      masters.add(broker(wish, name, name, name + " master", wish.brokerPort(index++), Map.of("brokerRole", role, "brokerId", "0")));
      for (int slave = 1; slave <= wish.slaves(); slave++) {
        slaves.add(broker(wish, name, name + "-slave-" + slave, name + " slave " + slave, wish.brokerPort(index++),
            Map.of("brokerRole", "SLAVE", "brokerId", Integer.toString(slave))));
      }
    }
    List<List<Node>> tiers = new ArrayList<>(List.of(List.of(nameServer(wish)), masters));
    if (!slaves.isEmpty()) {
      tiers.add(slaves);
    }
    return new ClusterPlan(tiers);
  }

  List<Node> nodes() {
    return tiers.stream().flatMap(List::stream).toList();
  }

  private static Node nameServer(Wish wish) {
    List<String> arguments = List.of(
        "nameserver", "--port", Integer.toString(wish.basePort()), "--data", wish.data().resolve("nameserver").toString(),
        "-D", "bindAddress=" + HOST);
    return new Node("nameserver", "name server", wish.basePort(), NAME_SERVER_MEMORY, arguments);
  }

  private static Node broker(Wish wish, String brokerName, String nodeName, String what, int port, Map<String, String> role) {
    Map<String, String> keys = new TreeMap<>(Map.of("bindAddress", HOST, "brokerIP1", HOST, "slaveReadEnable", Boolean.toString(wish.slaves() > 0)));
    keys.putAll(wish.keys());
    keys.put("brokerName", brokerName);
    keys.putAll(role);
    List<String> arguments = new ArrayList<>(List.of(
        "broker", "-n", HOST + ":" + wish.basePort(), "--port", Integer.toString(port), "--data", wish.data().resolve(nodeName).toString()));
    keys.forEach((key, value) -> arguments.addAll(List.of("-D", key + "=" + value)));
    return new Node(nodeName, what, port, BROKER_MEMORY, List.copyOf(arguments));
  }
}
