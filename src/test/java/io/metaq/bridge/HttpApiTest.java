package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.client.Position;
import io.metaq.client.Subscription;
import io.metaq.model.AddressRanges;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the paths of the bridge answer when they are asked well, in front of a real broker. */
@Timeout(120)
class HttpApiTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final String topic = "t" + UUID.randomUUID().toString().replace("-", "");
  private Http http;

  @BeforeEach
  void connect() {
    http = new Http(SERVER.httpPort());
  }

  @Test
  void shouldStoreASendObjectAsItIsDescribed() throws Exception {
    Http.Reply sent = send(new JsonObject().put("body", "h\u00e9llo").put("tag", "a").put("keys", new JsonArray().add("k1").add("k2"))
        .put("properties", new JsonObject().put("colour", "red")));

    assertThat(sent.status()).isEqualTo(201);
    assertThat(sent.header("Location")).isEqualTo("/v1/messages/" + sent.json().getString("offsetId"));
    assertThat(sent.json().fieldNames())
        .containsExactlyInAnyOrder("messageId", "offsetId", "topic", "broker", "queueId", "queueOffset", "status");
    assertThat(sent.json().getString("status")).isEqualTo("SEND_OK");
    JsonObject message = http.get(sent.header("Location")).json();
    assertThat(message.getString("body")).isEqualTo("h\u00e9llo");
    assertThat(message.getString("tag")).isEqualTo("a");
    assertThat(message.getJsonArray("keys")).containsExactly("k1", "k2");
    assertThat(message.getJsonObject("properties")).isEqualTo(new JsonObject().put("colour", "red"));
    assertThat(message.getString("messageId")).isEqualTo(sent.json().getString("messageId"));
    assertThat(message.getInteger("attempt")).isEqualTo(1);
    assertThat(message.getString("storedAt")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(message.getString("bornHost")).startsWith("127.0.0.1:");
  }

  @Test
  void shouldStoreAnyJsonAsItsTextAndBytesAsTheyAre() throws Exception {
    String json = send(new JsonObject().put("json", new JsonObject().put("a", List.of(1, 2)))).header("Location");
    String bytes = send(new JsonObject().put("bodyBase64", "//4A")).header("Location");
    String nothing = send(new JsonObject().putNull("json")).header("Location");

    assertThat(http.get(json).json().getString("body")).isEqualTo("{\"a\":[1,2]}");
    assertThat(http.get(bytes).json().getString("bodyBase64")).isEqualTo("//4A");
    assertThat(http.get(bytes).json().containsKey("body")).isFalse();
    assertThat(http.get(nothing).json().getString("body")).isEqualTo("null");
  }

  @Test
  void shouldTakeAnyOtherBodyAsItIsWithTheRestInHeaders() throws Exception {
    Http.Reply sent = http.call("POST", "/v1/topics/" + topic + "/messages", "raw=1&x", "Content-Type", "application/x-www-form-urlencoded",
        "MQ-Tag", "b", "MQ-Keys", "k1 k2", "MQ-Property-Colour", "red", "MQ-Order-Key", "o");

    assertThat(sent.status()).isEqualTo(201);
    JsonObject message = http.get(sent.header("Location")).json();
    assertThat(message.getString("body")).isEqualTo("raw=1&x");
    assertThat(message.getString("tag")).isEqualTo("b");
    assertThat(message.getJsonArray("keys")).containsExactly("k1", "k2");
    assertThat(message.getJsonObject("properties").getString("Colour")).isEqualTo("red");
  }

  @Test
  void shouldAnswerABatchWithOneReceiptForEach() throws Exception {
    JsonArray messages = new JsonArray();
    IntStream.range(0, 20).forEach(i -> messages.add(new JsonObject().put("body", "m" + i)));

    Http.Reply sent = send(new JsonObject().put("messages", messages));

    assertThat(sent.status()).isEqualTo(201);
    assertThat(sent.array()).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(http.get("/v1/messages/" + sent.array().getJsonObject(i).getString("offsetId")).json().getString("body")).isEqualTo("m" + i);
    }
  }

  @Test
  void shouldReadAQueueFromAnOffsetOn() throws Exception {
    JsonObject first = send(body("one")).json();
    String path = queuePath(first);

    await("it can be read", () -> messages(path + "?offset=0").size() == 1);
    JsonObject read = http.get(path + "?offset=0&max=1").json();
    assertThat(read.getJsonArray("messages").getJsonObject(0).getString("body")).isEqualTo("one");
    assertThat(read.getLong("nextOffset")).isEqualTo(1);
    assertThat(read.getLong("minOffset")).isZero();
    assertThat(read.getLong("maxOffset")).isEqualTo(1);
    assertThat(http.get(path + "?offset=1").json().getJsonArray("messages")).isEmpty();
  }

  @Test
  void shouldHoldAReadUntilAMessageComes() throws Exception {
    http.json("PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 1));
    await("the topic is served", () -> status("/v1/topics/" + topic) == 200);
    String path = "/v1/topics/" + topic + "/queues/" + SERVER.brokerName() + "/0/messages?offset=0&wait=30s";
    await("the queue is served", () -> status(path.replace("wait=30s", "wait=1ms")) == 200);

    CompletableFuture<JsonArray> held = CompletableFuture.supplyAsync(() -> messages(path));
    send(body("late"));

    assertThat(held.get(LIMIT.toSeconds(), TimeUnit.SECONDS).getJsonObject(0).getString("body")).isEqualTo("late");
  }

  @Test
  void shouldFindMessagesByKeyAndByTheIdOfTheirProducer() throws Exception {
    JsonObject sent = send(new JsonObject().put("body", "x").put("keys", new JsonArray().add("order-7"))).json();

    await("the index has it", () -> messages("/v1/topics/" + topic + "/messages?key=order-7").size() == 1);
    assertThat(messages("/v1/topics/" + topic + "/messages?key=order-8")).isEmpty();
    String id = sent.getString("messageId");
    assertThat(http.get("/v1/messages/" + id + "?topic=" + topic).json().getString("body")).isEqualTo("x");
    assertThat(http.get("/v1/messages/" + id).json().getString("body")).isEqualTo("x");
  }

  @Test
  void shouldReadATopicPageByPageInTheOrderItWasStored() throws Exception {
    for (int i = 0; i < 10; i++) {
      send(body("m" + i));
    }
    String path = "/v1/topics/" + topic + "/messages";
    await("all is there", () -> messages(path + "?from=earliest").size() == 10);
    List<String> read = new ArrayList<>();

    JsonObject page = json(path + "?from=earliest&max=4");
    while (!page.getJsonArray("messages").isEmpty()) {
      bodies(page).forEach(read::add);
      page = json(path + "?max=4&cursor=" + page.getString("cursor"));
    }

    assertThat(read).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 10).mapToObj(i -> "m" + i).toList());
    assertThat(page.getBoolean("end")).isTrue();
    assertThat(bodies(json(path + "?from=earliest&max=256"))).containsExactlyElementsOf(read);
    assertThat(bodies(json(path + "?from=2099-01-01T00:00:00Z"))).isEmpty();
    String last = page.getString("cursor");
    send(body("later"));
    await("it is behind the last page", () -> bodies(json(path + "?cursor=" + last)).equals(List.of("later")));
    assertThat(http.get(path).status()).isEqualTo(400);
    assertThat(http.get(path + "?from=earliest&cursor=" + last).status()).isEqualTo(400);
    assertThat(http.get("/v1/topics/other/messages?cursor=" + last).status()).isEqualTo(400);
  }

  private static List<String> bodies(JsonObject page) {
    return page.getJsonArray("messages").stream().map(message -> ((JsonObject) message).getString("body")).toList();
  }

  @Test
  void shouldSendAMessageAgain() throws Exception {
    JsonObject first = send(body("one").put("tag", "a")).json();

    Http.Reply again = http.call("POST", "/v1/messages/" + first.getString("offsetId") + "/resend", null);

    assertThat(again.status()).as(again.text()).isEqualTo(201);
    assertThat(again.json().getString("topic")).isEqualTo(topic);
    assertThat(again.json().getString("messageId")).isNotEqualTo(first.getString("messageId"));
    await("both are there", () -> bodies(json("/v1/topics/" + topic + "/messages?from=earliest")).equals(List.of("one", "one")));
    assertThat(http.call("POST", "/v1/messages/nothing/resend", null).status()).isEqualTo(404);
  }

  @Test
  void shouldSendAMessageAgainForAGroupThatIsThereAndForNoOther() throws Exception {
    String resend = "/v1/messages/" + send(body("one")).json().getString("offsetId") + "/resend?group=";
    String group = SERVER.makeGroup("g" + topic);

    Http.Reply unknown = http.call("POST", resend + "nobody-of-" + topic, null);
    Http.Reply known = http.call("POST", resend + group, null);

    assertThat(unknown.status()).as(unknown.text()).isEqualTo(404);
    assertThat(unknown.json().getString("type")).isEqualTo("urn:metaq:problem:unknown-group");
    assertThat(status("/v1/groups/nobody-of-" + topic)).isEqualTo(404);
    assertThat(status("/v1/topics/%25RETRY%25nobody-of-" + topic)).isEqualTo(404);
    assertThat(known.status()).as(known.text()).isEqualTo(201);
    assertThat(known.json().getString("topic")).isEqualTo("%RETRY%" + group);
    assertThat(known.json().getInteger("queueId")).isZero();
  }

  @Test
  void shouldShowWhichMemberHasWhichQueue() throws Exception {
    send(body("one"));
    String group = SERVER.makeGroup("g" + topic);
    MetaqClient member = MetaqClient.create(SERVER.vertx(), new MetaqClientOptions().setNameServers(SERVER.nameServers()));
    member.subscribe(Subscription.to(topic).group(group).from(Position.EARLIEST))
        .subscribe().with(delivery -> delivery.ack().subscribe().with(done -> { }));

    try {
      await("the member has all queues", () -> json("/v1/groups/" + group).getJsonArray("queues").stream()
          .map(JsonObject.class::cast).filter(queue -> queue.getString("topic").equals(topic))
          .filter(queue -> queue.getJsonArray("heldBy") != null && queue.getJsonArray("heldBy").size() == 1).count() == 4);
      JsonObject shown = json("/v1/groups/" + group);
      JsonObject one = shown.getJsonArray("members").getJsonObject(0);
      assertThat(shown.getString("mode")).isEqualTo("PUSH");
      assertThat(one.getString("fault")).isNull();
      assertThat(one.getString("since")).isNotNull();
      assertThat(one.getJsonObject("subscriptions").getString(topic)).isEqualTo("*");
      assertThat(one.getJsonArray("queues").stream().map(JsonObject.class::cast)
          .filter(queue -> queue.getString("topic").equals(topic)).map(queue -> queue.getInteger("queueId")))
          .containsExactlyInAnyOrder(0, 1, 2, 3);
      JsonObject unasked = json("/v1/groups/" + group + "?members=false");
      assertThat(unasked.getJsonArray("members").getJsonObject(0).getValue("queues")).isNull();
      assertThat(unasked.getJsonArray("queues").getJsonObject(0).getValue("heldBy")).isNull();
    } finally {
      member.close().await().atMost(LIMIT);
    }
  }

  @Test
  void shouldTellHowTheBrokerIs() throws Exception {
    send(body("one"));

    JsonObject status = json("/v1/stats").getJsonArray("brokers").getJsonObject(0);

    assertThat(status.getString("role")).isEqualTo("MASTER");
    assertThat(status.getLong("storedToday")).isPositive();
    assertThat(status.getJsonObject("sendLatencyMs").getDouble("p50")).isPositive();
    assertThat(status.getJsonObject("disk").getLong("freeBytes")).isPositive();
    assertThat(status.getJsonObject("log").getLong("maxOffset")).isPositive();
    assertThat(status.getJsonObject("replication").getJsonArray("followers")).isEmpty();
    assertThat(status.getJsonObject("clients").getLong("producers")).isPositive();
  }

  @Test
  void shouldShowAndChangeSettingsOfARunningBroker() throws Exception {
    String path = "/v1/brokers/" + SERVER.brokerName() + "/config";

    Http.Reply changed = http.json("PATCH", path, new JsonObject().put("settings", new JsonObject().put("defaultQueryMaxNum", "33")));

    assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    assertThat(json(path).getJsonObject("settings").getString("defaultQueryMaxNum")).isEqualTo("33");
    assertThat(http.json("PATCH", path, new JsonObject().put("settings", new JsonObject().put("listenPort", "1"))).status())
        .isBetween(400, 403);
    assertThat(http.get("/v1/brokers/nobody/config").json().getString("type")).isEqualTo("urn:metaq:problem:unknown-broker");
  }

  @Test
  void shouldMakeShowAndDeleteTopics() throws Exception {
    Http.Reply made = http.json("PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 3).put("type", "FIFO"));
    Http.Reply again = http.json("PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 4).put("type", "FIFO"));

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.json().getString("type")).isEqualTo("FIFO");
    assertThat(again.status()).isEqualTo(200);
    assertThat(http.get("/v1/topics/" + topic).json().getJsonArray("queues")).hasSize(4);
    JsonArray all = http.get("/v1/topics").json().getJsonArray("topics");
    assertThat(all.stream().map(each -> ((JsonObject) each).getString("topic"))).contains(topic);
    assertThat(http.delete("/v1/topics/" + topic).status()).isEqualTo(204);
    assertThat(http.get("/v1/topics/" + topic).status()).isEqualTo(404);
  }

  @Test
  void shouldTellARateOnceItHasLookedTwice() throws Exception {
    send(body("x"));

    assertThat(http.get("/v1/topics/" + topic).json().containsKey("messagesPerSecond")).isTrue();
    assertThat(http.get("/v1/topics/" + topic).json().getDouble("messagesPerSecond")).isNull();
    await("a second look that lies far enough behind", () -> json("/v1/topics/" + topic).getDouble("messagesPerSecond") != null);
  }

  @Test
  void shouldShowAndMoveAndDeleteAGroup() throws Exception {
    JsonObject sent = send(body("x")).json();
    String group = SERVER.makeGroup("g" + topic);
    Http.Reply moved = http.json("POST", "/v1/groups/" + group + "/offsets", new JsonObject().put("topic", topic).put("to", "earliest"));

    assertThat(moved.status()).as(moved.text()).isEqualTo(200);
    await("the group is behind", () -> json("/v1/groups/" + group).getLong("lag", 0L) == 1);
    JsonObject shown = json("/v1/groups/" + group);
    assertThat(shown.getString("oldestUnacknowledgedAt")).isNotNull();
    assertThat(shown.getString("messageModel")).isNull();
    http.json("POST", "/v1/groups/" + group + "/offsets", new JsonObject().put("topic", topic)
        .put("to", new JsonObject().put(Integer.toString(sent.getInteger("queueId")), 1)));
    await("the group is not behind", () -> json("/v1/groups/" + group).getLong("lag", -1L) == 0);
    assertThat(json("/v1/groups").getJsonArray("groups").stream().map(each -> ((JsonObject) each).getString("group"))).contains(group);
    assertThat(http.delete("/v1/groups/" + group).status()).isEqualTo(204);
    assertThat(http.get("/v1/groups/" + group).status()).isEqualTo(404);
  }

  @Test
  void shouldTellOfBrokersConfigurationAndHealth() throws Exception {
    JsonObject broker = json("/v1/cluster").getJsonArray("brokers").getJsonObject(0);
    JsonObject settings = json("/v1/config").getJsonObject("settings");

    assertThat(broker.getString("role")).isEqualTo("MASTER");
    assertThat(broker.getBoolean("reachable")).isTrue();
    assertThat(broker.getString("version")).startsWith("MetaQ ");
    assertThat(broker.getDouble("storedPerSecond")).isNotNull();
    assertThat(settings.getJsonObject("httpPort").getString("value")).isEqualTo("0");
    assertThat(settings.getJsonObject("maxMessageSize").getString("origin")).isEqualTo("default");
    assertThat(http.get("/health/live").json()).isEqualTo(new JsonObject().put("status", "UP"));
    assertThat(http.get("/health/ready").status()).isEqualTo(200);
    assertThat(http.get("/").text()).contains("<title>MetaQ</title>");
  }

  @Test
  void shouldStoreOnceWhatIsSentTwiceUnderOneKeyAlsoThroughAnotherBridge() throws Exception {
    String path = "/v1/topics/" + topic + "/messages";
    String key = "key-" + topic;
    JsonObject first = http.json("POST", path, body("x"), "Idempotency-Key", key).json();
    JsonObject again = http.json("POST", path, body("x"), "Idempotency-Key", "\"" + key + "\"").json();
    Http other = new Http(SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), 4 << 20, BridgeLimits.standard()));
    await("the index has it", () -> status("/v1/messages/" + key + "?topic=" + topic) == 200);
    JsonObject elsewhere = other.json("POST", path, body("x"), "Idempotency-Key", key).json();
    JsonObject different = http.json("POST", path, body("x"), "Idempotency-Key", key + "2").json();

    assertThat(first.getString("messageId")).isEqualTo(key);
    assertThat(again).isEqualTo(first);
    assertThat(elsewhere).isEqualTo(first);
    assertThat(different.getString("offsetId")).isNotEqualTo(first.getString("offsetId"));
  }

  @Test
  void shouldStoreOnceWhatComesManyTimesAtOnceUnderOneKey() throws Exception {
    List<CompletableFuture<Http.Reply>> sends = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      sends.add(http.begin("POST", "/v1/topics/" + topic + "/messages", "x", "Idempotency-Key", "at-once-" + topic));
    }

    Set<String> places = new HashSet<>();
    for (CompletableFuture<Http.Reply> send : sends) {
      assertThat(send.get(60, TimeUnit.SECONDS).status()).isEqualTo(201);
      places.add(send.get().json().getString("offsetId"));
    }

    assertThat(places).hasSize(1);
  }

  @Test
  void shouldSendAgainUnderAKeyWhoseWindowIsOver() throws Exception {
    BridgeLimits usual = BridgeLimits.standard();
    BridgeLimits forgetful = new BridgeLimits(usual.commentMs(), usual.pingMs(), usual.silentMs(), usual.stalledMs(), usual.requestMs(),
        usual.leaseMs(), usual.maxWaitMs(), usual.maxSubscriptions(), usual.maxConnections(), usual.maxIncomingBytes(), 1);
    Http bridge = new Http(SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), 4 << 20, forgetful));
    String path = "/v1/topics/" + topic + "/messages";
    JsonObject first = bridge.json("POST", path, body("x"), "Idempotency-Key", "k").json();

    await("the window is over", () -> !again(bridge, path).getString("offsetId").equals(first.getString("offsetId")));
  }

  private static JsonObject again(Http bridge, String path) {
    try {
      return bridge.json("POST", path, body("x"), "Idempotency-Key", "k").json();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  @Test
  void shouldDeliverLaterWhatIsSentForLater() throws Exception {
    Instant due = Instant.ofEpochMilli(io.metaq.model.Clock.system().millis() + 1_500);
    JsonObject sent = send(new JsonObject().put("body", "later").put("deliverAt", due.toString())).json();
    String path = queuePath(sent);

    await("it is delivered", () -> messages(path + "?offset=0").size() == 1);
    String storedAt = messages(path + "?offset=0").getJsonObject(0).getString("storedAt");
    assertThat(Instant.parse(storedAt)).isAfterOrEqualTo(due.minusMillis(1));
  }

  private Http.Reply send(JsonObject message) throws Exception {
    return http.json("POST", "/v1/topics/" + topic + "/messages", message);
  }

  private static JsonObject body(String text) {
    return new JsonObject().put("body", text);
  }

  private static String queuePath(JsonObject receipt) {
    return "/v1/topics/" + receipt.getString("topic") + "/queues/" + receipt.getString("broker") + "/" + receipt.getInteger("queueId")
        + "/messages";
  }

  private JsonArray messages(String path) {
    return json(path).getJsonArray("messages", new JsonArray());
  }

  private int status(String path) {
    try {
      return http.get(path).status();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private JsonObject json(String path) {
    try {
      return http.get(path).json();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  static void await(String what, BooleanSupplier condition) {
    long endNs = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > endNs) {
        throw new AssertionError("not within " + LIMIT + ": " + what);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }
}
