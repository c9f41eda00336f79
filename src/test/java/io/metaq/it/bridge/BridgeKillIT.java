package io.metaq.it.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.it.Await;
import io.metaq.it.BrokerProcess;
import io.metaq.it.Queues;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One group with members over WebSockets of two bridges and in a client, through the kill of one bridge. */
@Timeout(400)
class BridgeKillIT {
  private static final Duration LIMIT = Duration.ofSeconds(120);

  @TempDir Path folder;

  private final String topic = Queues.freshName("shared");
  private final String group = Queues.freshName("members");
  private int sent;

  @Test
  void shouldShareAGroupOverAllWaysAndLoseNothingWhenABridgeIsKilled() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (BrokerProcess server = BrokerProcess.standalone(folder.resolve("data")).key("messageDelayLevel", "1s 1s 1s").start();
        BrokerProcess bridge = BrokerProcess.bridge(server.namesrv()).start()) {
      Page.json(server.httpPort(), "PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 4));
      MetaqClient client = MetaqClient.create(vertx, new MetaqClientOptions().setNameServers(server.namesrv()));
      Queue<String> ofTheClient = new ConcurrentLinkedQueue<>();
      try (Page one = Page.open(server.httpPort(), true); Page killed = Page.open(bridge.httpPort(), false)) {
        Await.until("the topic is served", LIMIT, () -> one.join(topic, group).getString("op").equals("subscribed"));
        assertThat(killed.join(topic, group).getString("op")).isEqualTo("subscribed");
        client.subscribe(Subscription.to(topic).group(group).from(Position.EARLIEST))
            .onItem().transformToUniAndConcatenate(delivery -> {
              ofTheClient.add(delivery.message().text());
              return delivery.ack();
            }).subscribe().with(done -> { });
        Await.until("three members", LIMIT, () -> members(server) == 3);

        send(server, 200);
        Await.until("the bridge that will be killed has some", LIMIT, () -> !killed.messages().isEmpty());
        bridge.kill();
        Await.until("the others have all, those it had too", LIMIT, () -> all(one, ofTheClient).size() == sent);
        send(server, 50);

        Await.until("what is new comes", LIMIT, () -> all(one, ofTheClient).size() == sent);
        Await.until("all of it is acknowledged", LIMIT, () -> shown(server).getLong("lag") == 0);
      } finally {
        client.close().await().atMost(LIMIT);
      }
      assertThat(server.logLines()).noneMatch(line -> line.contains(" ERROR "));
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static Set<String> all(Page page, Queue<String> others) {
    Set<String> all = new HashSet<>(others);
    page.messages().forEach(message -> all.add(message.getString("body")));
    return all;
  }

  private JsonObject shown(BrokerProcess server) throws Exception {
    return new JsonObject(Page.get(server.httpPort(), "/v1/groups/" + group).body());
  }

  private int members(BrokerProcess server) throws Exception {
    return shown(server).getJsonArray("members", new JsonArray()).size();
  }

  private void send(BrokerProcess server, int count) throws Exception {
    List<JsonObject> messages = IntStream.range(0, count).mapToObj(i -> new JsonObject().put("body", "m" + sent++)).toList();
    assertThat(Page.json(server.httpPort(), "POST", "/v1/topics/" + topic + "/messages",
        new JsonObject().put("messages", new JsonArray(messages))).statusCode()).isEqualTo(201);
  }
}
