package io.metaq.it.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.HttpMember;
import io.metaq.it.Json;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code metaq bridge} in front of Apache RocketMQ. */
@Execution(ExecutionMode.CONCURRENT)
class BridgeInFrontIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final int MESSAGES = 20;

  @TempDir Path folder;

  @Test
  void shouldServeAClusterOfRocketMq() throws Exception {
    try (OfficialServer namesrv = OfficialServer.nameserver(folder.resolve("namesrv"));
        OfficialServer broker = OfficialServer.broker(folder.resolve("broker"), namesrv.address());
        BrokerProcess bridge = BrokerProcess.bridge(namesrv.address()).start()) {
      int port = bridge.httpPort();
      Await.until("it is ready", LIMIT, () -> call(port, "GET", "/health/ready", "").statusCode() == 200);
      assertThat(call(port, "PUT", "/v1/topics/orders", "{\"queues\":1}").statusCode()).isIn(200, 201);
      Await.until("the topic is served", LIMIT, () -> call(port, "GET", "/v1/topics/orders", "").statusCode() == 200);

      for (int i = 0; i < MESSAGES; i++) {
        HttpResponse<String> receipt = call(port, "POST", "/v1/topics/orders/messages", "{\"body\":\"m" + i + "\",\"tag\":\"t\",\"keys\":[\"k" + i + "\"]}");
        assertThat(receipt.statusCode()).as(receipt.body()).isEqualTo(201);
        assertThat(Json.object(receipt.body())).containsEntry("status", "SEND_OK").containsEntry("broker", "peer-broker")
            .containsEntry("queueOffset", (long) i);
      }
      assertThat(bodies(json(port, "/v1/topics/orders/queues/peer-broker/0/messages?offset=0&max=32"))).hasSize(MESSAGES).startsWith("m0", "m1");
      Await.until("the index has it", LIMIT, () -> bodies(json(port, "/v1/topics/orders/messages?key=k7")).equals(List.of("m7")));
      try (HttpMember events = HttpMember.overEvents(port, "orders", "readers")) {
        Await.until("all messages, and acknowledged", LIMIT,
            () -> events.bodies().size() >= MESSAGES && Long.valueOf(0).equals(json(port, "/v1/groups/readers").get("lag")));
        assertThat(events.bodies()).hasSize(MESSAGES).startsWith("m0", "m1");
        assertThat((List<?>) json(port, "/v1/groups/readers").get("members")).hasSize(1);
      }

      assertThat(call(port, "GET", "/v1/topics", "").body()).contains("\"orders\"");
      assertThat(call(port, "GET", "/v1/groups", "").body()).contains("\"readers\"");
      assertThat(call(port, "GET", "/v1/cluster", "").body()).contains("\"peer-broker\"", broker.address());
      assertThat(call(port, "GET", "/metrics", "").body()).contains("metaq_broker_up{broker=\"peer-broker\",cluster=\"PeerCluster\",id=\"0\"} 1.0");
      assertThat(bridge.stop()).isZero();
      assertThat(bridge.logLines()).noneMatch(line -> line.contains(" ERROR "));
    }
  }

  private static HttpResponse<String> call(int port, String method, String path, String body) throws Exception {
    return HttpMember.call(port, method, path, body);
  }

  private static Map<String, Object> json(int port, String path) throws Exception {
    return Json.object(call(port, "GET", path, "").body());
  }

  @SuppressWarnings("unchecked")
  private static List<Object> bodies(Map<String, Object> page) {
    return ((List<Map<String, Object>>) page.getOrDefault("messages", List.of())).stream().map(message -> message.get("body")).toList();
  }
}
