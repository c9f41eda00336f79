package io.metaq.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.codec.remoting.SerializeType;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class SharedPortTest {
  private static final int LOOPS = 2;
  private static final int CONNECTIONS = 6;

  private final Map<Long, String> threadsOfConnections = new ConcurrentHashMap<>();
  private final Map<Long, String> threadsOfRequests = new ConcurrentHashMap<>();

  @Test
  void shouldShareTheConnectionsOfOnePortAmongItsLoops() throws Exception {
    int port = FreePorts.next();
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(LOOPS));
    List<TestPeer> peers = new ArrayList<>();
    try {
      TestServer.await(vertx.deployVerticle(() -> new Room(port), new DeploymentOptions().setInstances(LOOPS)));
      for (int i = 0; i < CONNECTIONS; i++) {
        peers.add(new TestPeer(port));
        peers.get(i).send(RemotingCommand.decoded(1, "JAVA", 513, i, 0, SerializeType.JSON));
      }

      for (int i = 0; i < CONNECTIONS; i++) {
        assertThat(peers.get(i).receive().opaque()).isEqualTo(i);
      }
      assertThat(threadsOfConnections).hasSize(CONNECTIONS).isEqualTo(threadsOfRequests);
      assertThat(threadsOfConnections.values().stream().distinct()).hasSize(LOOPS);
    } finally {
      for (TestPeer peer : peers) {
        peer.close();
      }
      TestServer.await(vertx.close());
    }
  }

  private final class Room extends VerticleBase {
    private final int port;

    Room(int port) {
      this.port = port;
    }

    @Override
    public Future<?> start() {
      return RemotingServer.listen(vertx, RemotingServerOptions.of("127.0.0.1", port), new EchoHandler() {
        @Override
        public void opened(Connection connection) {
          threadsOfConnections.put(connection.id(), Thread.currentThread().getName());
        }

        @Override
        public void request(Connection connection, InboundFrame frame) {
          threadsOfRequests.put(connection.id(), Thread.currentThread().getName());
          super.request(connection, frame);
        }
      });
    }
  }
}
