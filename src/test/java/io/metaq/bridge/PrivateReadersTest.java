package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.TopicQueue;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Private readers of one topic that keep up, fall behind, and catch up, with a real broker behind them. */
@Timeout(180)
class PrivateReadersTest {
  /** More than a stream keeps. */
  private static final int MANY = 400;

  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  private final String topic = "t" + UUID.randomUUID().toString().replace("-", "");
  private int sent;

  @BeforeEach
  void makeTopic() throws Exception {
    Http http = new Http(SERVER.httpPort());
    http.json("PUT", "/v1/topics/" + topic, new JsonObject().put("queues", 4));
    HttpApiTest.await("the topic is served", () -> {
      try {
        return http.get("/v1/topics/" + topic + "/queues/" + SERVER.brokerName() + "/3/messages").status() == 200;
      } catch (Exception failure) {
        throw new AssertionError(failure);
      }
    });
  }

  @Test
  void shouldGiveEveryReaderAtTheEndEachMessageOnce() throws Exception {
    List<WsPeer> peers = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        peers.add(peer());
        peers.get(i).ask(subscribe());
      }
      publish(30);

      for (WsPeer peer : peers) {
        assertThat(bodies(peer, 30)).hasSize(30);
      }
    } finally {
      peers.forEach(WsPeer::close);
    }
  }

  @Test
  void shouldBringAReaderThatFellBehindAllItMissedAndThenWhatIsNew() throws Exception {
    try (WsPeer quick = peer(); WsPeer slow = peer()) {
      quick.ask(subscribe().put("credit", 100_000));
      slow.ask(subscribe().put("credit", 5));
      publish(MANY);
      Set<String> all = bodies(quick, MANY);
      Set<String> got = bodies(slow, 5);

      slow.send(new JsonObject().put("op", "credit").put("sub", "s").put("n", 100_000));
      got.addAll(bodies(slow, MANY - 5));
      publish(10);

      assertThat(got).isEqualTo(all);
      assertThat(bodies(slow, 10)).isEqualTo(bodies(quick, 10)).doesNotContainAnyElementsOf(all);
    }
  }

  @Test
  void shouldJoinFromAnOldPositionAndFromTheBeginningWithNothingLostOrTwice() throws Exception {
    publish(MANY);
    String position = null;
    Set<String> read = new HashSet<>();
    try (WsPeer first = peer()) {
      first.ask(subscribe().put("from", "earliest").put("credit", 50));
      for (JsonObject message : first.next(50)) {
        read.add(message.getString("body"));
        position = message.getString("position");
      }
    }
    try (WsPeer live = peer(); WsPeer resumed = peer(); WsPeer whole = peer()) {
      live.ask(subscribe());
      resumed.ask(subscribe().put("position", position).put("credit", 100_000));
      whole.ask(subscribe().put("from", "earliest").put("credit", 100_000));
      publish(20);

      Set<String> fresh = bodies(live, 20);
      Set<String> everything = bodies(whole, MANY + 20);
      read.addAll(bodies(resumed, MANY + 20 - 50));
      assertThat(everything).hasSize(MANY + 20).containsAll(fresh);
      assertThat(read).isEqualTo(everything);
    }
  }

  @Test
  void shouldGoOnExactlyBehindAPositionThatCameFromTheSharedReading() throws Exception {
    String position = null;
    Set<String> read = new HashSet<>();
    try (WsPeer one = peer(); WsPeer other = peer()) {
      one.ask(subscribe());
      other.ask(subscribe().put("credit", 7));
      publish(20);
      for (JsonObject message : other.next(7)) {
        read.add(message.getString("body"));
        position = message.getString("position");
      }
      bodies(one, 20);
    }

    try (WsPeer again = peer()) {
      again.ask(subscribe().put("position", position));
      Set<String> rest = bodies(again, 13);

      assertThat(rest).doesNotContainAnyElementsOf(read);
    }
  }

  @Test
  void shouldNotGiveALateReaderWhatWasThereBefore() throws Exception {
    try (WsPeer early = peer()) {
      early.ask(subscribe());
      publish(10);
      assertThat(bodies(early, 10)).hasSize(10);
      try (WsPeer late = peer()) {
        late.ask(subscribe());
        publish(5);

        assertThat(bodies(late, 5)).containsExactlyInAnyOrder("m10", "m11", "m12", "m13", "m14");
      }
      assertThat(bodies(early, 5)).hasSize(5);
    }
  }

  @Test
  void shouldGiveWhatIsNewToAllWhosePositionIsOfATopicThatWasDeleted() throws Exception {
    Map<TopicQueue, Long> former = new HashMap<>();
    for (int queue = 0; queue < 4; queue++) {
      former.put(new TopicQueue(topic, SERVER.brokerName(), queue), 1_000_000L);
    }
    String position = ReadPosition.of(topic, former).text();
    try (WsPeer first = peer(); WsPeer second = peer()) {
      first.ask(subscribe().put("position", position));
      publish(10);
      assertThat(bodies(first, 10)).hasSize(10);
      second.ask(subscribe().put("position", position));
      publish(10);

      assertThat(bodies(second, 10)).isEqualTo(bodies(first, 10));
    }
  }

  @Test
  void shouldBringAReaderFromTheBeginningAllOfATopicThatGrewMeanwhile() throws Exception {
    publish(MANY);
    try (WsPeer whole = peer()) {
      whole.ask(subscribe().put("from", "earliest").put("credit", 10));
      Set<String> got = bodies(whole, 10);
      publish(MANY);
      try (WsPeer late = peer()) {
        whole.send(new JsonObject().put("op", "credit").put("sub", "s").put("n", 100_000));
        got.addAll(bodies(whole, 2 * MANY - 10));
        late.ask(subscribe());
        publish(10);

        assertThat(got).hasSize(2 * MANY);
        assertThat(bodies(late, 10)).isEqualTo(bodies(whole, 10)).doesNotContainAnyElementsOf(got);
      }
    }
  }

  @Test
  void shouldShareUnderAFilterOnlyWithTheSame() throws Exception {
    try (WsPeer all = peer(); WsPeer tagged = peer(); WsPeer alike = peer()) {
      all.ask(subscribe());
      tagged.ask(subscribe().put("filter", "a"));
      alike.ask(subscribe().put("filter", "a"));
      JsonArray messages = new JsonArray();
      for (int i = 0; i < 10; i++) {
        messages.add(new JsonObject().put("body", "m" + i).put("tag", i % 2 == 0 ? "a" : "b"));
      }
      send(messages);

      assertThat(bodies(all, 10)).hasSize(10);
      assertThat(bodies(tagged, 5)).containsExactlyInAnyOrder("m0", "m2", "m4", "m6", "m8").isEqualTo(bodies(alike, 5));
    }
  }

  private static WsPeer peer() throws Exception {
    return WsPeer.connect(SERVER.vertx(), SERVER.httpPort());
  }

  private JsonObject subscribe() {
    return new JsonObject().put("op", "subscribe").put("ref", "r").put("sub", "s").put("topic", topic);
  }

  /** The bodies of the next messages, none of them twice. */
  private static Set<String> bodies(WsPeer peer, int count) throws Exception {
    Set<String> bodies = new HashSet<>();
    for (JsonObject message : peer.next(count)) {
      assertThat(message.getString("op")).as(message.encode()).isEqualTo("message");
      assertThat(bodies.add(message.getString("body"))).as("twice: " + message.getString("body")).isTrue();
    }
    return bodies;
  }

  private void publish(int count) throws Exception {
    JsonArray messages = new JsonArray();
    for (int i = 0; i < count; i++) {
      messages.add(new JsonObject().put("body", "m" + sent++));
    }
    send(messages);
  }

  private void send(JsonArray messages) throws Exception {
    Http.Reply answer =
        new Http(SERVER.httpPort()).json("POST", "/v1/topics/" + topic + "/messages", new JsonObject().put("messages", messages));
    assertThat(answer.status()).as(answer.text()).isEqualTo(201);
  }
}
