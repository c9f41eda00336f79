package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.FreePorts;
import io.metaq.client.FakeCluster;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that is away is a condition that passes, and answered so: 503, when to come again, UNAVAILABLE. */
@Timeout(120)
class AwayBrokerHttpTest {
  private static final int LIMIT_S = 60;

  private Vertx vertx;
  private FakeCluster cluster;
  private int port;

  @BeforeEach
  void start() throws Exception {
    vertx = Vertx.vertx();
    cluster = FakeCluster.start(vertx);
    port = FreePorts.next();
    BridgeOptions options = new BridgeOptions(BridgeOptions.Scope.CLUSTER, "127.0.0.1", port, cluster.address(), 1 << 20,
        AddressRanges.LOOPBACK, List.of(), List.of(), BridgeLimits.standard(), List.of());
    vertx.deployVerticle(new BridgeVerticle(options, Clock.system())).toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);
  }

  private void shouldBeUnavailable(Http.Reply reply, String detail) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(503);
    assertThat(reply.header("Retry-After")).isEqualTo("5");
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(reply.json().getString("type")).isEqualTo("urn:metaq:problem:unavailable");
    assertThat(reply.json().getInteger("status")).isEqualTo(503);
    assertThat(reply.json().getString("detail")).contains(detail);
  }

  @Test
  void shouldBeUnavailableWhereABrokerHasNoMaster() throws Exception {
    cluster.withoutMaster();
    Http http = new Http(port);

    shouldBeUnavailable(http.get("/v1/topics/T/messages?from=earliest"), "broker b0 has no master now");
    shouldBeUnavailable(http.get("/v1/topics/T/events"), "broker b0 has no master now");
    shouldBeUnavailable(http.call("POST", "/v1/groups/g/offsets", "{\"topic\":\"T\",\"to\":\"earliest\"}",
        "Content-Type", "application/json"), "no master is registered");
    shouldBeUnavailable(http.call("POST", "/v1/topics/T/messages", "x", "Content-Type", "text/plain"), "no broker takes messages for the topic");
    assertThat(http.get("/v1/topics/nowhere/messages?from=earliest").json().getString("type")).isEqualTo("urn:metaq:problem:unknown-topic");
    assertThat(subscribe("T")).isEqualTo("UNAVAILABLE");
    assertThat(subscribe("nowhere")).isEqualTo("UNKNOWN_TOPIC");
  }

  @Test
  void shouldBeUnavailableWhileNoBrokerIsRegistered() throws Exception {
    cluster.withoutBrokers();
    Http http = new Http(port);

    for (String path : List.of("/v1/topics", "/v1/topics/T", "/v1/topics/T/messages?from=earliest", "/v1/topics/T/messages?key=k",
        "/v1/topics/T/queues/b0/0/messages?offset=0", "/v1/topics/T/events", "/v1/topics/T/events?group=g", "/v1/messages/id?topic=T",
        "/v1/messages/id", "/v1/groups", "/v1/groups/g")) {
      shouldBeUnavailable(http.get(path), "no broker is registered");
    }
    shouldBeUnavailable(http.call("POST", "/v1/topics/T/messages", "x", "Content-Type", "text/plain"), "no broker is registered");
    assertThat(subscribe("T")).isEqualTo("UNAVAILABLE");
  }

  /** The code of the refusal. */
  private String subscribe(String topic) throws Exception {
    try (WsPeer peer = WsPeer.connect(vertx, port)) {
      return peer.ask(new JsonObject().put("op", "subscribe").put("ref", "1").put("sub", "s").put("topic", topic)).getString("code");
    }
  }
}
