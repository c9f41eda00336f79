package io.metaq.it.cluster;

import io.metaq.FreePorts;
import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * A name server, and what a master and its slave are started with so that all between them goes through relays: the master serves
 * on 127.0.0.1 and is registered as 127.0.0.2, where the relays are. Tests reach it past them.
 */
final class Pair implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(120);
  static final int QUEUES = 4;
  /** Small, so that borders of files are crossed. */
  static final int LOG_FILE_BYTES = 1 << 20;
  static final int QUEUE_FILE_BYTES = 20 * 1_000;

  private static final String MASTER = "127.0.0.1";
  private static final String RELAYS = "127.0.0.2";

  private final Path folder;
  private final BrokerProcess namesrv;
  private final int port;
  private final Relay requests;
  private final Relay log;

  private Pair(Path folder, BrokerProcess namesrv, int port, Relay requests, Relay log) {
    this.folder = folder;
    this.namesrv = namesrv;
    this.port = port;
    this.requests = requests;
    this.log = log;
  }

  static Pair open(Path folder) throws Exception {
    int port = FreePorts.next(-2, 1);
    return new Pair(folder, BrokerProcess.nameserver().start(), port,
        Relay.open(new InetSocketAddress(RELAYS, port), new InetSocketAddress(MASTER, port)),
        Relay.open(new InetSocketAddress(RELAYS, port + 1), new InetSocketAddress(MASTER, port + 1)));
  }

  BrokerProcess.Launch master(String role) {
    return onMastersPorts(masterFolder()).key("brokerRole", role);
  }

  /** What the slave has copied, as a master on the master's ports: for one whose disk is lost. */
  BrokerProcess.Launch slaveAsMaster() {
    return onMastersPorts(slaveFolder()).key("brokerRole", "ASYNC_MASTER");
  }

  private BrokerProcess.Launch onMastersPorts(Path data) {
    return broker(data).argument("--port", Integer.toString(port)).key("haListenPort", port + 1).key("bindAddress", MASTER)
        .key("brokerIP1", RELAYS);
  }

  BrokerProcess.Launch slave() {
    return broker(slaveFolder()).key("brokerRole", "SLAVE").key("brokerId", 1).key("bindAddress", MASTER);
  }

  private BrokerProcess.Launch broker(Path data) {
    return BrokerProcess.broker(data, namesrv.namesrv()).key("brokerName", "b").key("slaveReadEnable", true)
        .key("defaultTopicQueueNums", QUEUES).key("mappedFileSizeCommitLog", LOG_FILE_BYTES)
        .key("mappedFileSizeConsumeQueue", QUEUE_FILE_BYTES);
  }

  /** Creates a topic, and waits until the slave serves it. */
  void createTopic(String topic, BrokerProcess slave) throws Exception {
    Load.createTopic(port, topic);
    Await.until("the slave has the topic", LIMIT, () -> Stores.tables(slave.brokerPort()).contains("\"" + topic + "\""));
  }

  /** Waits until the master sends its log to a slave. */
  void awaitFollowed() throws Exception {
    Await.until("the slave follows", LIMIT, () -> Stores.replication(port).stream().anyMatch(state -> state.contains("TRANSFER")));
  }

  Path masterFolder() {
    return folder.resolve("master");
  }

  Path slaveFolder() {
    return folder.resolve("slave");
  }

  BrokerProcess namesrv() {
    return namesrv;
  }

  int masterPort() {
    return port;
  }

  int haPort() {
    return port + 1;
  }

  /** Between the slave and the master's HA port. */
  Relay log() {
    return log;
  }

  /** Makes both ways between slave and master silent. */
  void partition(Set<Relay.Way> ways) {
    log.silence(ways);
    requests.silence(ways);
  }

  void heal() {
    log.heal();
    requests.heal();
  }

  @Override
  public void close() throws Exception {
    requests.close();
    log.close();
    namesrv.close();
  }
}
