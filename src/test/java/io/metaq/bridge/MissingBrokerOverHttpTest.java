package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.it.AwayBroker;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HTTP while a broker {@code away} is registered that nobody reaches. */
@Timeout(120)
class MissingBrokerOverHttpTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private static AwayBroker away;
  private static Http http;

  @BeforeAll
  static void registerABrokerThatIsNotThere() throws Exception {
    http = new Http(SERVER.httpPort());
    http.json("PUT", "/v1/topics/orders", new JsonObject().put("queues", 1));
    http.json("POST", "/v1/topics/orders/messages", new JsonObject().put("body", "here").put("keys", new JsonArray().add("k")));
    SERVER.makeGroup("billing");
    away = AwayBroker.register(SERVER.nameServers(), "orders");
  }

  @AfterAll
  static void unregister() throws Exception {
    away.close();
  }

  @Test
  void shouldListTopicsAndGroupsWithANoteOfWhatIsMissing() throws Exception {
    JsonObject topics = http.get("/v1/topics").json();
    JsonObject groups = http.get("/v1/groups").json();

    noted(topics);
    JsonObject orders = topics.getJsonArray("topics").stream().map(JsonObject.class::cast)
        .filter(one -> one.getString("topic").equals("orders")).findFirst().orElseThrow();
    assertThat(orders.getMap()).containsEntry("readQueues", null).containsEntry("writeQueues", null).containsEntry("writable", true);
    noted(groups);
    JsonObject billing = groups.getJsonArray("groups").stream().map(JsonObject.class::cast)
        .filter(one -> one.getString("group").equals("billing")).findFirst().orElseThrow();
    assertThat(billing.getMap()).as("unknown is null, not 0").containsEntry("lag", null).containsEntry("members", null);
  }

  @Test
  void shouldShowOneTopicAndOneGroupWithSumsThatAreNotKnown() throws Exception {
    JsonObject topic = http.get("/v1/topics/orders").json();
    JsonObject group = http.get("/v1/groups/billing").json();

    noted(topic);
    assertThat(topic.getMap()).containsEntry("messages", null).containsEntry("storedPerSecond", null).containsEntry("readers", null);
    assertThat(topic.getJsonArray("queues")).hasSize(1);
    noted(group);
    assertThat(group.getMap()).containsEntry("lag", null).containsEntry("consumedPerSecond", null);
    assertThat(group.getJsonObject("deadLetters").getMap()).as("there may be some").containsEntry("messages", null);
  }

  @Test
  void shouldGiveAPageOfWhatIsThereAndNoFalseAnswerToALookUp() throws Exception {
    JsonObject page = http.get("/v1/topics/orders/messages?from=2020-01-01T00:00:00Z").json();
    Http.Reply next = http.get("/v1/topics/orders/messages?cursor=" + page.getString("cursor"));
    Http.Reply byKey = http.get("/v1/topics/orders/messages?key=k");

    noted(page);
    assertThat(page.getJsonArray("messages")).hasSize(1);
    assertThat(page.getBoolean("end")).isFalse();
    assertThat(next.status()).isEqualTo(200);
    assertThat(next.json().getJsonArray("messages")).isEmpty();
    assertThat(byKey.status()).isEqualTo(503);
    assertThat(byKey.text()).contains("broker away");
    assertThat(http.get("/v1/topics/orders/messages?cursor=" + page.getString("cursor") + "x").status()).isEqualTo(400);
  }

  private static void noted(JsonObject answer) {
    JsonArray missing = answer.getJsonArray("missing");
    assertThat(missing).hasSize(1);
    assertThat(missing.getJsonObject(0).getString("broker")).isEqualTo("away");
    assertThat(missing.getJsonObject(0).getString("reason")).isEqualTo("CONNECTION");
    assertThat(missing.getJsonObject(0).getString("fault")).contains("broker away");
  }
}
