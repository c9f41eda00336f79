package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.model.AddressRanges;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frames of {@code metaq.v1.json} in front of a real broker. */
@Timeout(180)
class WebSocketTest {
  private static final int MAX_BODY_BYTES = 100_000;
  private static final long SHORT_LEASE_MS = 1_500;

  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of("messageDelayLevel", "1s 1s 1s"));

  private static int impatient;

  private final String topic = "t" + UUID.randomUUID().toString().replace("-", "");
  private final String group = "g" + topic;

  @BeforeAll
  static void startImpatientBridge() throws Exception {
    impatient = SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), MAX_BODY_BYTES,
        new BridgeLimits(500, 300, 6_000, 6_000, 60_000, SHORT_LEASE_MS, 60_000, 8, 1_000, 64 << 20, 86_400_000));
  }

  @BeforeEach
  void makeTopic() throws Exception {
    new Http(SERVER.httpPort()).json("PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 4));
    HttpApiTest.await("the topic is served", () -> {
      try {
        return new Http(SERVER.httpPort()).get("/v1/topics/" + topic + "/queues/" + SERVER.brokerName() + "/3/messages").status() == 200;
      } catch (Exception failure) {
        throw new AssertionError(failure);
      }
    });
  }

  @Test
  void shouldPublishAndAnswerWithAReceipt() throws Exception {
    try (WsPeer peer = peer()) {
      JsonObject answer = peer.ask(frame("publish").put("ref", "1").put("topic", topic).put("body", "x").put("tag", "a"));

      assertThat(answer.getString("op")).isEqualTo("published");
      assertThat(answer.getString("ref")).isEqualTo("1");
      assertThat(answer.getString("status")).isEqualTo("SEND_OK");
      assertThat(answer.getString("topic")).isEqualTo(topic);
    }
  }

  @Test
  void shouldTellAWatcherWhatThereIsAndWhatChanges() throws Exception {
    try (WsPeer peer = peer()) {
      String path = "/v1/topics/" + topic;
      JsonObject watching = peer.ask(frame("watch").put("ref", "w").put("path", path).put("everyMs", 500));
      JsonObject first = peer.next();
      publish(Map.of("one", "a"));
      JsonObject second = peer.next();
      JsonObject ended = peer.ask(frame("unwatch").put("ref", "w"));
      while (ended.getString("op").equals("view")) {
        // Its rate may change meanwhile.
        ended = peer.next();
      }

      assertThat(watching).isEqualTo(new JsonObject().put("op", "watching").put("ref", "w").put("path", path));
      assertThat(List.of(first, second)).allSatisfy(view -> {
        assertThat(view.getString("op")).isEqualTo("view");
        assertThat(view.getString("ref")).isEqualTo("w");
        assertThat(view.getString("path")).isEqualTo(path);
        assertThat(view.getInteger("status")).isEqualTo(200);
        assertThat(view.getString("at")).matches("....-..-..T..:..:..\\....Z");
        assertThat(view.getJsonObject("value").getString("topic")).isEqualTo(topic);
      });
      assertThat(ended).isEqualTo(new JsonObject().put("op", "unwatched").put("ref", "w"));
    }
  }

  @Test
  void shouldWatchWhatIsNotThereYet() throws Exception {
    try (WsPeer peer = peer()) {
      peer.ask(frame("watch").put("ref", "w").put("path", "/v1/topics/x" + topic).put("everyMs", 500));
      JsonObject missing = peer.next();
      new Http(SERVER.httpPort()).json("PUT", "/v1/topics/x" + topic, new JsonObject().put("queues", 1));
      JsonObject there = peer.next();

      assertThat(missing.getInteger("status")).isEqualTo(404);
      assertThat(missing.getJsonObject("value").getString("type")).isEqualTo("urn:metaq:problem:unknown-topic");
      assertThat(there.getInteger("status")).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseWatchesThatMakeNoSense() throws Exception {
    try (WsPeer peer = peer()) {
      assertThat(peer.ask(frame("watch").put("path", "/v1/topics")).getString("code")).isEqualTo("INVALID");
      assertThat(peer.ask(frame("watch").put("ref", "1").put("path", "/v1/ws")).getString("code")).isEqualTo("NO_SUCH_PATH");
      assertThat(peer.ask(frame("watch").put("ref", "1").put("path", "/v1/topics").put("everyMs", 499)).getString("code"))
          .isEqualTo("INVALID");
      assertThat(peer.ask(frame("unwatch").put("ref", "1")).getString("code")).isEqualTo("UNKNOWN_SUBSCRIPTION");
      peer.ask(frame("watch").put("ref", "1").put("path", "/v1/config"));
      assertThat(peer.next().getString("op")).isEqualTo("view");
      assertThat(peer.ask(frame("watch").put("ref", "1").put("path", "/v1/config")).getString("code")).isEqualTo("CONFLICT");
    }
  }

  @Test
  void shouldDeliverToAPrivateReaderWhatItsFilterAdmits() throws Exception {
    try (WsPeer peer = peer()) {
      JsonObject subscribed = peer.ask(subscribe("s1").put("filter", "a || b"));
      publish(Map.of("one", "a", "two", "c", "three", "b"));

      List<JsonObject> messages = peer.next(2);

      assertThat(subscribed.getString("op")).isEqualTo("subscribed");
      assertThat(subscribed.getString("ref")).isEqualTo("s1");
      assertThat(subscribed.getString("position")).isNotEmpty();
      assertThat(messages).extracting(message -> message.getString("body")).containsExactlyInAnyOrder("one", "three");
      assertThat(messages).allSatisfy(message -> {
        assertThat(message.getString("op")).isEqualTo("message");
        assertThat(message.getString("sub")).isEqualTo("s1");
        assertThat(message.getString("position")).matches("[A-Za-z0-9_-]+");
        assertThat(message.getString("handle")).isNotEmpty();
      });
    }
  }

  @Test
  void shouldSendNoMoreThanThereIsCreditFor() throws Exception {
    publish(20);
    try (WsPeer peer = peer()) {
      peer.ask(subscribe("s1").put("from", "earliest").put("credit", 5));
      peer.next(5);
      assertThat(peer.ask(frame("ping").put("ref", "p")).getString("op")).isEqualTo("pong");

      peer.send(frame("credit").put("sub", "s1").put("n", 15));

      assertThat(peer.next(15)).extracting(message -> message.getString("op")).containsOnly("message");
    }
  }

  @Test
  void shouldGoOnBehindAPositionWithNothingLostOrTwice() throws Exception {
    publish(40);
    Set<String> got = new HashSet<>();
    String position = null;
    try (WsPeer peer = peer()) {
      peer.ask(subscribe("s1").put("from", "earliest").put("credit", 25));
      for (JsonObject message : peer.next(25)) {
        assertThat(got.add(message.getString("body"))).isTrue();
        position = message.getString("position");
      }
    }

    try (WsPeer peer = peer()) {
      peer.ask(subscribe("s1").put("position", position));
      publishOne("last");
      for (JsonObject message : peer.next(16)) {
        assertThat(got.add(message.getString("body"))).isTrue();
      }
    }
    assertThat(got).hasSize(41).contains("last");
  }

  @Test
  void shouldShareAGroupAmongMoreSubscribersThanThereAreQueues() throws Exception {
    List<WsPeer> peers = new ArrayList<>();
    try {
      for (int i = 0; i < 5; i++) {
        peers.add(peer());
        assertThat(peers.get(i).ask(member("s").put("credit", 6)).getString("op")).isEqualTo("subscribed");
      }
      publish(30);

      Set<String> got = new HashSet<>();
      for (WsPeer peer : peers) {
        peer.next(6).forEach(message -> assertThat(got.add(message.getString("body"))).isTrue());
      }
      assertThat(got).hasSize(30);
    } finally {
      peers.forEach(WsPeer::close);
    }
    HttpApiTest.await("all of it is acknowledged", () -> lag() == 0);
  }

  @Test
  void shouldAcknowledgeByHandAndRefuseAHandleThatIsSettled() throws Exception {
    publish(3);
    try (WsPeer peer = peer()) {
      peer.ask(member("s").put("ack", "manual"));
      JsonArray handles = new JsonArray();
      peer.next(3).forEach(message -> handles.add(message.getString("handle")));

      assertThat(peer.ask(frame("ack").put("sub", "s").put("handles", handles).put("ref", "a")).getString("op")).isEqualTo("acked");
      JsonObject again = peer.ask(frame("ack").put("sub", "s").put("handles", handles).put("ref", "b"));

      assertThat(again.getString("code")).isEqualTo("UNKNOWN_HANDLE");
      assertThat(again.getString("ref")).isEqualTo("b");
      HttpApiTest.await("the broker knows", () -> lag() == 0);
    }
  }

  @Test
  void shouldBringAMessageAgainThatWasSentBack() throws Exception {
    publish(1);
    try (WsPeer peer = peer()) {
      peer.ask(member("s").put("ack", "manual"));
      JsonObject first = peer.next();
      assertThat(first.getInteger("attempt")).isEqualTo(1);

      JsonObject answer =
          peer.ask(frame("nack").put("sub", "s").put("handle", first.getString("handle")).put("delayMs", 1).put("ref", "n"));
      JsonObject second = peer.next();

      assertThat(answer.getString("op")).isEqualTo("nacked");
      assertThat(second.getString("body")).isEqualTo(first.getString("body"));
      assertThat(second.getString("topic")).isEqualTo(topic);
      assertThat(second.getInteger("attempt")).isEqualTo(2);
    }
  }

  @Test
  void shouldGiveWhatAClosedConnectionHadToAnother() throws Exception {
    publish(4);
    Set<String> lost = new HashSet<>();
    try (WsPeer stays = peer()) {
      try (WsPeer goes = peer()) {
        goes.ask(member("s").put("ack", "manual"));
        goes.next(4).forEach(message -> lost.add(message.getString("body")));
        assertThat(stays.ask(member("s").put("ack", "manual")).getString("op")).isEqualTo("subscribed");
        goes.cut();
      }

      Set<String> again = new HashSet<>();
      stays.next(4).forEach(message -> again.add(message.getString("body")));
      assertThat(again).isEqualTo(lost);
    }
  }

  @Test
  void shouldGiveAwayWhatIsNotSettledWithinTheLeaseAndCountIt() throws Exception {
    publish(1);
    try (WsPeer peer = WsPeer.connect(SERVER.vertx(), impatient)) {
      peer.ask(member("s").put("ack", "manual"));
      JsonObject first = peer.next();
      JsonObject second = peer.next();

      assertThat(second.getString("messageId")).isEqualTo(first.getString("messageId"));
      assertThat(second.getInteger("attempt")).isEqualTo(2);
      peer.send(frame("ack").put("sub", "s").put("handles", new JsonArray().add(first.getString("handle"))).put("ref", "l"));
      JsonObject late = peer.next();
      while (late.containsKey("messageId")) {
        // Its lease is over again.
        late = peer.next();
      }
      assertThat(late.getString("code")).isEqualTo("UNKNOWN_HANDLE");
    }
  }

  @Test
  void shouldPutAsideAsADeadLetterWhatFailsTooOften() throws Exception {
    SERVER.makeGroup(group, 1);
    publish(1);
    try (WsPeer peer = peer()) {
      peer.ask(member("s").put("ack", "manual"));
      for (int attempt = 1; attempt <= 2; attempt++) {
        JsonObject message = peer.next();
        assertThat(message.getInteger("attempt")).isEqualTo(attempt);
        peer.send(frame("nack").put("sub", "s").put("handle", message.getString("handle")).put("delayMs", 1));
      }

      HttpApiTest.await("it is a dead letter", () -> messages("%DLQ%" + group) == 1);
    }
  }

  @Test
  void shouldReadAllOfATopicForEveryBroadcastMember() throws Exception {
    try (WsPeer one = peer(); WsPeer other = peer()) {
      one.ask(member("s").put("mode", "broadcast"));
      other.ask(member("s").put("mode", "broadcast").put("from", "latest"));
      publish(3);

      assertThat(one.next(3)).hasSize(3);
      assertThat(other.next(3)).hasSize(3);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "{}                                                              | INVALID              | 'op' is missing",
    "{\"op\":1}                                                      | INVALID              | 'op' must be a string",
    "{\"op\":\"fly\"}                                                | UNKNOWN_OP           | there is no op 'fly'",
    "{\"op\":\"publish\"}                                            | INVALID              | 'topic' is missing",
    "{\"op\":\"publish\",\"topic\":\"a b\",\"body\":\"x\"}           | INVALID              | illegal character",
    "{\"op\":\"publish\",\"topic\":\"T\"}                            | INVALID_MESSAGE      | exactly one of",
    "{\"op\":\"publish\",\"topic\":\"T\",\"body\":\"x\",\"properties\":{\"a\":null}} | INVALID | not null",
    "{\"op\":\"subscribe\",\"topic\":\"T\"}                          | INVALID              | 'sub' is missing",
    "{\"op\":\"subscribe\",\"sub\":\"\",\"topic\":\"T\"}             | INVALID              | 1 to 128 characters",
    "{\"op\":\"subscribe\",\"sub\":\"s\"}                            | INVALID              | 'topic' is missing",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"no-such\"}      | UNKNOWN_TOPIC        | does not exist",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"no-such\",\"group\":\"g\"} | UNKNOWN_TOPIC | does not exist",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"from\":\"then\"}  | INVALID       | 'from' must be",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"credit\":-1}      | INVALID       | 'credit' must be between",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"mode\":\"all\"}   | INVALID       | 'mode' must be",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"ack\":\"manual\"} | INVALID       | needs a group",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"group\":\"g\",\"position\":\"x\"} | INVALID | readers without a group",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"position\":\"garbage\"} | INVALID_POSITION | none that this server gave out",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"filterType\":\"sql\",\"filter\":\"a =\"} | INVALID_FILTER | ",
    "{\"op\":\"subscribe\",\"sub\":\"s\",\"topic\":\"T\",\"filterType\":\"regex\"} | INVALID | 'filterType' must be",
    "{\"op\":\"credit\",\"sub\":\"s\",\"n\":1}                       | UNKNOWN_SUBSCRIPTION | no subscription 's'",
    "{\"op\":\"ack\",\"sub\":\"s\",\"handles\":[\"1\"]}              | UNKNOWN_SUBSCRIPTION | no subscription 's'",
    "{\"op\":\"nack\",\"sub\":\"s\",\"handle\":\"1\"}                | UNKNOWN_SUBSCRIPTION | no subscription 's'",
    "{\"op\":\"unsubscribe\",\"sub\":\"s\"}                          | UNKNOWN_SUBSCRIPTION | no subscription 's'"})
  void shouldAnswerWhatIsWrongAndStay(String text, String code, String words) throws Exception {
    try (WsPeer peer = peer()) {
      peer.send(text);
      JsonObject error = peer.next();

      assertThat(error.getString("op")).isEqualTo("error");
      assertThat(error.getString("message")).contains(words == null ? "" : words);
      assertThat(error.getString("code")).isEqualTo(code);
      assertThat(peer.ask(frame("ping").put("ref", "still there")).getString("ref")).isEqualTo("still there");
    }
  }

  @Test
  void shouldRefuseASubscriptionThatIsThereAndMoreThanItsLimit() throws Exception {
    try (WsPeer peer = WsPeer.connect(SERVER.vertx(), impatient)) {
      for (int i = 0; i < 8; i++) {
        assertThat(peer.ask(subscribe("s" + i)).getString("op")).isEqualTo("subscribed");
      }

      assertThat(peer.ask(subscribe("s0")).getString("code")).isEqualTo("CONFLICT");
      assertThat(peer.ask(subscribe("s8")).getString("code")).isEqualTo("TOO_MANY");
      assertThat(peer.ask(frame("unsubscribe").put("sub", "s0").put("ref", "u")).getString("op")).isEqualTo("unsubscribed");
      assertThat(peer.ask(subscribe("s8")).getString("op")).isEqualTo("subscribed");
    }
  }

  @Test
  void shouldRefuseMembersOfAGroupThatWantDifferentThings() throws Exception {
    try (WsPeer peer = peer()) {
      peer.ask(member("s1").put("filter", "a"));

      assertThat(peer.ask(member("s2").put("filter", "b")).getString("code")).isEqualTo("CONFLICT");
    }
  }

  @Test
  void shouldCloseAfterMalformedJsonAndBinaryFrames() throws Exception {
    try (WsPeer peer = peer(); WsPeer other = peer()) {
      peer.send("{\"op\":");
      other.socket().writeBinaryMessage(Buffer.buffer("{}"));

      assertThat(peer.next().getString("code")).isEqualTo("MALFORMED_JSON");
      assertThat(peer.closeCode()).isEqualTo(1003);
      assertThat(other.closeCode()).isEqualTo(1003);
    }
  }

  @Test
  void shouldCloseAndStoreNothingWhenATextIsNotInUtf8() throws Exception {
    String start = "{\"op\":\"publish\",\"ref\":\"1\",\"topic\":\"" + topic + "\",\"body\":\"";
    byte[] euro = "\u20ac".getBytes(StandardCharsets.UTF_8);
    try (WsPeer peer = peer(); WsPeer cut = peer(); WsPeer good = peer()) {
      peer.socket().writeFrame(WebSocketFrame.textFrame(start, false));
      peer.socket().writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer(new byte[] {(byte) 0xFF, '"', '}'}), true));
      cut.socket().writeFrame(WebSocketFrame.textFrame("{\"op\":\"ping\"}", false));
      cut.socket().writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer(Arrays.copyOf(euro, 2)), true));
      good.socket().writeFrame(WebSocketFrame.textFrame(start + "\ufffd", false));
      good.socket().writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer(Arrays.copyOf(euro, 1)), false));
      good.socket().writeFrame(WebSocketFrame.pingFrame(Buffer.buffer("still here")));
      good.socket().writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer(Arrays.copyOfRange(euro, 1, 3)).appendString("\"}"), true));

      assertThat(peer.closeCode()).isEqualTo(1007);
      assertThat(cut.closeCode()).isEqualTo(1007);
      assertThat(good.next().getString("op")).isEqualTo("published");
      JsonObject page = new Http(SERVER.httpPort()).get("/v1/topics/" + topic + "/messages?from=earliest").json();
      assertThat(page.getJsonArray("messages").stream().map(message -> ((JsonObject) message).getString("body")))
          .containsExactly("\ufffd\u20ac");
    }
  }

  @Test
  void shouldCloseAfterAFrameOverTheLimit() throws Exception {
    try (WsPeer peer = WsPeer.connect(SERVER.vertx(), impatient)) {
      peer.socket().writeFrame(WebSocketFrame.textFrame("x".repeat(3 * MAX_BODY_BYTES), true));

      assertThat(peer.closeCode()).isEqualTo(1009);
    }
  }

  @Test
  void shouldCloseAfterFramesOfOneMessageThatPassTheLimitTogether() throws Exception {
    try (WsPeer peer = WsPeer.connect(SERVER.vertx(), impatient)) {
      String part = "x".repeat(MAX_BODY_BYTES);
      peer.socket().writeFrame(WebSocketFrame.textFrame(part, false));
      for (int i = 0; i < 15; i++) {
        peer.socket().writeFrame(WebSocketFrame.continuationFrame(Buffer.buffer(part), false));
      }

      assertThat(peer.closeCode()).isEqualTo(1009);
    }
  }

  @Test
  void shouldDoNothingMoreOnceItHasClosed() throws Exception {
    try (WsPeer peer = peer()) {
      peer.send("{\"op\":");
      peer.send(frame("publish").put("topic", topic).put("body", "too late"));
      assertThat(peer.closeCode()).isEqualTo(1003);
    }
    publishOne("after");

    try (WsPeer peer = peer()) {
      peer.ask(subscribe("s").put("from", "earliest"));
      assertThat(peer.next().getString("body")).isEqualTo("after");
      assertThat(peer.ask(frame("ping")).getString("op")).isEqualTo("pong");
    }
  }

  @Test
  void shouldAnswerASubscribeThatIsEndedWhileItBegins() throws Exception {
    try (WsPeer peer = peer()) {
      peer.send(subscribe("s").put("ref", "begin"));
      peer.send(frame("unsubscribe").put("sub", "s").put("ref", "end"));

      assertThat(peer.next(2)).extracting(answer -> answer.getString("ref")).containsExactlyInAnyOrder("begin", "end");
      assertThat(peer.ask(subscribe("s")).getString("op")).isEqualTo("subscribed");
    }
  }

  @Test
  void shouldTakeABoundedNumberOfHandlesAtOnce() throws Exception {
    try (WsPeer peer = peer()) {
      peer.ask(member("s").put("ack", "manual"));
      JsonArray handles = new JsonArray();
      IntStream.range(0, 1025).forEach(i -> handles.add("h" + i));

      JsonObject answer = peer.ask(frame("ack").put("sub", "s").put("handles", handles).put("ref", "a"));

      assertThat(answer.getString("code")).isEqualTo("INVALID");
      assertThat(answer.getString("message")).contains("1024");
    }
  }

  @Test
  void shouldRefuseOtherSubprotocolsAndPagesOfOtherOrigins() throws Exception {
    assertThatThrownBy(() -> WsPeer.connect(SERVER.vertx(), SERVER.httpPort(), List.of("mqtt"), null))
        .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(UpgradeRejectedException.class).hasMessageContaining("400");
    assertThatThrownBy(() -> WsPeer.connect(SERVER.vertx(), SERVER.httpPort(), List.of(), "https://evil.example"))
        .isInstanceOf(ExecutionException.class).hasCauseInstanceOf(UpgradeRejectedException.class).hasMessageContaining("403");
    assertThat(new Http(SERVER.httpPort()).get("/v1/ws").json().getString("detail")).contains("for WebSockets");
    WsPeer.connect(SERVER.vertx(), SERVER.httpPort(), List.of(), "http://localhost:5173").close();
  }

  private static WsPeer peer() throws Exception {
    return WsPeer.connect(SERVER.vertx(), SERVER.httpPort());
  }

  private static JsonObject frame(String op) {
    return new JsonObject().put("op", op);
  }

  private JsonObject subscribe(String sub) {
    return frame("subscribe").put("ref", sub).put("sub", sub).put("topic", topic);
  }

  private JsonObject member(String sub) {
    return subscribe(sub).put("group", group).put("from", "earliest");
  }

  private void publish(int count) throws Exception {
    JsonArray messages = new JsonArray();
    IntStream.range(0, count).forEach(i -> messages.add(new JsonObject().put("body", "m" + i)));
    send(messages);
  }

  private void publish(Map<String, String> tagByBody) throws Exception {
    JsonArray messages = new JsonArray();
    tagByBody.forEach((body, tag) -> messages.add(new JsonObject().put("body", body).put("tag", tag)));
    send(messages);
  }

  private void publishOne(String body) throws Exception {
    send(new JsonArray().add(new JsonObject().put("body", body)));
  }

  private void send(JsonArray messages) throws Exception {
    Http.Reply sent = new Http(SERVER.httpPort()).json("POST", "/v1/topics/" + topic + "/messages", new JsonObject().put("messages", messages));
    assertThat(sent.status()).as(sent.text()).isEqualTo(201);
  }

  private long lag() {
    try {
      return new Http(SERVER.httpPort()).get("/v1/groups/" + group).json().getLong("lag", -1L);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  /** Messages of a topic that has one queue. */
  private static long messages(String topicName) {
    try {
      JsonArray queues = new Http(SERVER.httpPort()).get("/v1/topics/" + Http.encoded(topicName)).json().getJsonArray("queues");
      return queues == null ? 0 : queues.getJsonObject(0).getLong("maxOffset");
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }
}
