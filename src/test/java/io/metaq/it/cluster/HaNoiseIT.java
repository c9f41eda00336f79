package io.metaq.it.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What strangers send to the port of slaves harms nobody, and does not fill the log. */
@Execution(ExecutionMode.CONCURRENT)
class HaNoiseIT {
  private static final int STRANGERS = 200;
  private static final int MOST_CONNECTIONS = 64;
  private static final int READ_LIMIT_MS = 60_000;

  @TempDir
  private Path folder;

  @Test
  void shouldServeItsSlaveWhileStrangersTalkNonsense() throws Exception {
    String topic = Queues.freshName("noise");
    Acknowledged acknowledged = new Acknowledged();
    Random random = new Random(6);
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("SYNC_MASTER").key("slaveTimeout", 60_000).start();
        BrokerProcess slave = pair.slave().start()) {
      pair.awaitFollowed();
      pair.createTopic(topic, slave);
      long linesBefore = lines(master);
      Load load = Load.start(Load.Options.STEADY, master.brokerPort(), topic, "noise", acknowledged);
      for (int i = 0; i < STRANGERS; i++) {
        assertThat(isEnded(pair.haPort(), nonsense(i % 6, random))).as("stranger %d is sent away", i).isTrue();
      }
      load.stop();

      assertThat(load.answers()).as("every message waited for the slave").containsOnlyKeys(0);
      Stores.awaitSame(pair, slave, topic);
      acknowledged.assertAllAt(slave.brokerPort(), topic);
      assertThat(master.standardError()).contains("breaks the rules of replication");
      assertThat(master.logLines()).noneMatch(line -> line.contains("Exception"));
      assertThat(lines(master) - linesBefore).as("lines of the log for %d strangers:%n%s", STRANGERS, master.standardError())
          .isLessThan(STRANGERS / 8);
    }
  }

  @Test
  void shouldHavePlaceForASlaveWhenStrangersHoldConnectionsAndSayNothing() throws Exception {
    String topic = Queues.freshName("places");
    List<Socket> strangers = new ArrayList<>();
    try (Pair pair = Pair.open(folder);
        BrokerProcess master = pair.master("SYNC_MASTER").key("slaveTimeout", 60_000).key("haHousekeepingInterval", 600_000).start()) {
      for (int i = 0; i < MOST_CONNECTIONS; i++) {
        Socket stranger = new Socket("127.0.0.1", pair.haPort());
        stranger.getOutputStream().write(new byte[4]);
        strangers.add(stranger);
      }
      try (BrokerProcess slave = pair.slave().start()) {
        pair.awaitFollowed();
        pair.createTopic(topic, slave);

        Load load = Load.start(Load.Options.HARD.most(100), master.brokerPort(), topic, "places", new Acknowledged());
        load.join();
        assertThat(load.answers()).containsOnlyKeys(0);
        Stores.awaitSame(pair, slave, topic);
      }
    } finally {
      for (Socket stranger : strangers) {
        stranger.close();
      }
    }
  }

  private static byte[] nonsense(int kind, Random random) {
    byte[] bytes = new byte[64 + random.nextInt(20_000)];
    random.nextBytes(bytes);
    // A random number that happens to be a position in the log would be a slave's.
    bytes[0] |= 0x40;
    return switch (kind) {
      case 0 -> bytes;
      case 1 -> "GET / HTTP/1.1\r\nHost: broker\r\n\r\n".getBytes(US_ASCII);
      case 2 -> ByteBuffer.allocate(8).putLong(Long.MAX_VALUE).array();
      case 3 -> ByteBuffer.allocate(8).putLong(-1).array();
      case 4 -> ByteBuffer.allocate(16).putLong(0).putLong(Long.MAX_VALUE).array();
      default -> ByteBuffer.allocate(12).putLong(Long.MIN_VALUE + 1).putInt(7).array();
    };
  }

  /** Whether the master ends a connection that sent these bytes. */
  private static boolean isEnded(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setSoTimeout(READ_LIMIT_MS);
      socket.connect(new InetSocketAddress("127.0.0.1", port), READ_LIMIT_MS);
      socket.getOutputStream().write(bytes);
      InputStream in = socket.getInputStream();
      in.readAllBytes();
      return true;
    } catch (SocketException reset) {
      return true;
    }
  }

  private static long lines(BrokerProcess broker) {
    return broker.logLines().size();
  }
}
