package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AddressRanges;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Server-Sent Events in front of a real broker, read byte by byte as a browser does. */
@Timeout(120)
class EventStreamTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of("messageDelayLevel", "1s 1s 1s"));

  /** Comments often, and drops who does not read soon. */
  private static int impatient;

  private final String topic = "t" + UUID.randomUUID().toString().replace("-", "");
  private Http http;

  @BeforeAll
  static void startImpatientBridge() throws Exception {
    impatient = SERVER.bridge(AddressRanges.LOOPBACK, List.of(), List.of(), 4 << 20,
        new BridgeLimits(200, 300, 6_000, 4_000, 60_000, 60_000, 1_000, 8, 1_000, 64 << 20, 86_400_000));
  }

  /** One connection that asks for events. */
  private static final class Browser implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;

    Browser(int port, String path, String... headers) throws Exception {
      socket = new Socket("127.0.0.1", port);
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      String more = String.join("\r\n", headers);
      out.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + (more.isEmpty() ? "" : "\r\n") + "\r\n")
          .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Lines up to an empty one; those of chunk sizes are left out. */
    List<String> block() throws Exception {
      List<String> lines = new ArrayList<>();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.isEmpty() && !lines.isEmpty()) {
          return lines;
        }
        if (!line.isEmpty() && !line.matches("[0-9a-f]+")) {
          lines.add(line);
        }
      }
      return lines;
    }

    /** The fields of the next event; comments are left out. */
    Map<String, String> event() throws Exception {
      while (true) {
        Map<String, String> fields = new HashMap<>();
        for (String line : block()) {
          int colon = line.indexOf(": ");
          if (colon > 0) {
            fields.put(line.substring(0, colon), line.substring(colon + 2));
          }
        }
        if (!fields.isEmpty()) {
          return fields;
        }
      }
    }

    JsonObject message() throws Exception {
      return new JsonObject(event().get("data"));
    }

    @Override
    public void close() throws Exception {
      socket.close();
    }
  }

  @BeforeEach
  void makeTopic() throws Exception {
    http = new Http(SERVER.httpPort());
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
  void shouldSendEachMessageAsAnEventWithAnIdThatFitsIntoAHeader() throws Exception {
    try (Browser browser = new Browser(SERVER.httpPort(), events(""))) {
      List<String> head = browser.block();
      Map<String, String> beginning = browser.event();
      publish("a\nb", 1);
      Map<String, String> event = browser.event();

      assertThat(head.get(0)).isEqualTo("HTTP/1.1 200 OK");
      assertThat(head).contains("Content-Type: text/event-stream", "Cache-Control: no-store");
      assertThat(beginning).containsKeys("retry", "id");
      assertThat(event).containsEntry("event", "message");
      assertThat(event.get("id")).matches("[A-Za-z0-9_-]+");
      assertThat(new JsonObject(event.get("data")).getString("body")).isEqualTo("a\nb0");
    }
  }

  @Test
  void shouldGoOnExactlyBehindTheLastEvent() throws Exception {
    publish("m", 60);
    Set<String> got = new HashSet<>();
    String last = null;
    try (Browser browser = new Browser(SERVER.httpPort(), events("?from=earliest"))) {
      browser.block();
      browser.event();
      for (int i = 0; i < 25; i++) {
        Map<String, String> event = browser.event();
        last = event.get("id");
        assertThat(got.add(new JsonObject(event.get("data")).getString("body"))).isTrue();
      }
    }
    publish("later", 1);

    try (Browser browser = new Browser(SERVER.httpPort(), events(""), "Last-Event-ID: " + last)) {
      browser.block();
      browser.event();
      for (int i = 0; i < 36; i++) {
        assertThat(got.add(browser.message().getString("body"))).isTrue();
      }
    }
    assertThat(got).hasSize(61).contains("later0", "m59");
  }

  @Test
  void shouldGoOnBehindItsBeginningWhenNothingHadCome() throws Exception {
    publish("before", 3);
    String begun;
    try (Browser browser = new Browser(SERVER.httpPort(), events(""))) {
      browser.block();
      begun = browser.event().get("id");
    }
    publish("meanwhile", 2);

    try (Browser browser = new Browser(SERVER.httpPort(), events(""), "Last-Event-ID: " + begun)) {
      browser.block();
      browser.event();
      assertThat(Set.of(browser.message().getString("body"), browser.message().getString("body")))
          .containsExactlyInAnyOrder("meanwhile0", "meanwhile1");
    }
  }

  @Test
  void shouldServeAMemberOfAGroupWhichGoesOnWhereTheGroupIs() throws Exception {
    publish("m", 5);
    String path = events("?group=g" + topic + "&from=earliest&ack=auto");
    Set<String> got = new HashSet<>();
    try (Browser browser = new Browser(SERVER.httpPort(), path)) {
      browser.block();
      browser.event();
      for (int i = 0; i < 5; i++) {
        got.add(browser.message().getString("body"));
      }
      HttpApiTest.await("the broker knows", () -> lag("g" + topic) == 0);
    }
    publish("n", 1);

    try (Browser browser = new Browser(SERVER.httpPort(), path)) {
      browser.block();
      browser.event();
      assertThat(browser.message().getString("body")).isEqualTo("n0");
    }
    assertThat(got).hasSize(5);
  }

  @Test
  void shouldFilterByTagsAndByExpressions() throws Exception {
    try (Browser tags = new Browser(SERVER.httpPort(), events("?filter=" + Http.encoded("a || b")));
        Browser sql = new Browser(SERVER.httpPort(), events("?filterType=sql&filter=" + Http.encoded("size > 3")))) {
      for (Browser browser : List.of(tags, sql)) {
        browser.block();
        browser.event();
      }
      JsonArray messages = new JsonArray()
          .add(new JsonObject().put("body", "1").put("tag", "c").put("properties", new JsonObject().put("size", "3")))
          .add(new JsonObject().put("body", "2").put("tag", "b").put("properties", new JsonObject().put("size", "2")))
          .add(new JsonObject().put("body", "3").put("tag", "c").put("properties", new JsonObject().put("size", "4")));
      http.json("POST", "/v1/topics/" + topic + "/messages", new JsonObject().put("messages", messages));

      assertThat(tags.message().getString("body")).isEqualTo("2");
      assertThat(sql.message().getString("body")).isEqualTo("3");
    }
  }

  @Test
  void shouldSayThatItIsThereWhileThereIsNothing() throws Exception {
    try (Browser browser = new Browser(impatient, events(""))) {
      browser.block();
      browser.event();

      assertThat(browser.block()).containsExactly(":");
      assertThat(browser.block()).containsExactly(":");
    }
  }

  @Test
  void shouldDropAReaderThatTakesNothingAndServeTheOthers() throws Exception {
    try (Socket stuck = new Socket()) {
      stuck.setReceiveBufferSize(4096);
      stuck.connect(new InetSocketAddress("127.0.0.1", impatient));
      stuck.getOutputStream().write(("GET " + events("?from=earliest&group=g" + topic) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII));
      stuck.getOutputStream().flush();
      HttpApiTest.await("it is a member", () -> members("g" + topic) == 1);
      for (int i = 0; i < 12; i++) {
        publish("x".repeat(1 << 20), 1);
      }
      try (Browser other = new Browser(impatient, events("?from=earliest"))) {
        other.block();
        other.event();
        assertThat(other.message().getString("body")).hasSize((1 << 20) + 1);
      }

      HttpApiTest.await("it is no member any more", () -> members("g" + topic) == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"garbage", "AAAA", "../../etc/passwd", "%00", "1"})
  void shouldRefuseALastEventThatItNeverSent(String id) throws Exception {
    Http.Reply reply = http.get(events(""), "Last-Event-ID", id);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().getString("type")).isEqualTo(Fault.INVALID_POSITION.type());
  }

  @Test
  void shouldReadALastEventAsLongAsTheyGet() throws Exception {
    Http.Reply reply = http.get(events(""), "Last-Event-ID", "A".repeat(65_000));

    assertThat(reply.json().getString("type")).isEqualTo(Fault.INVALID_POSITION.type());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "?from=%2B999999999-01-01T00:00:00Z|INVALID|'from' must be earliest",
    "?group=a%20b|INVALID|illegal character",
    "?from=yesterday|INVALID|'from' must be earliest",
    "?ack=manual|INVALID|'ack' must be auto",
    "?filterType=xpath|INVALID|'filterType' must be tag or sql",
    "?filterType=sql&filter=a%20%3D|INVALID_FILTER|SQL92 filter"})
  void shouldRefuseWhatCannotBeRead(String query, Fault fault, String words) throws Exception {
    Http.Reply reply = http.get(events(query));

    assertThat(reply.json().getString("type")).as(reply.text()).isEqualTo(fault.type());
    assertThat(reply.json().getString("detail")).contains(words);
    assertThat(reply.status()).isEqualTo(fault.status());
  }

  @Test
  void shouldRefuseATopicThatIsNotThereAndPagesOfOtherOrigins() throws Exception {
    assertThat(http.get("/v1/topics/no-such-topic/events").status()).isEqualTo(404);
    assertThat(http.get("/v1/topics/no-such-topic/events?group=g").status()).isEqualTo(404);
    assertThat(http.get(events(""), "Origin", "https://evil.example").status()).isEqualTo(403);
    assertThat(http.get(events("?group=g"), "Sec-Fetch-Site", "cross-site").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "Sec-Fetch-Site|same-site|User-Agent|Mozilla/5.0",
    "Referer|http://evil.example/page|User-Agent|Mozilla/5.0",
    "Referer|http://evil.example/page|User-Agent|curl/8.5.0",
    "Sec-Fetch-Site|cross-site|Referer|http://localhost/",
    "Accept|image/*|User-Agent|Mozilla/5.0 (X11; Linux x86_64)"})
  void shouldKeepAnImageOfAForeignPageOutOfAGroup(String name, String value, String otherName, String otherValue) throws Exception {
    Http.Reply reply = http.get(events("?group=g" + topic), name, value, otherName, otherValue);

    assertThat(reply.status()).as(reply.text()).isEqualTo(403);
    assertThat(reply.json().getString("type")).isEqualTo(Fault.ORIGIN_REFUSED.type());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "User-Agent: curl/8.5.0",
    "Sec-Fetch-Site: same-origin\r\nUser-Agent: Mozilla/5.0",
    "Sec-Fetch-Site: none\r\nUser-Agent: Mozilla/5.0",
    "Referer: http://localhost/\r\nUser-Agent: Mozilla/5.0"})
  void shouldServeItsOwnPageAndPrograms(String headers) throws Exception {
    try (Browser browser = new Browser(SERVER.httpPort(), events("?group=g" + topic), headers)) {
      assertThat(browser.block().get(0)).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  private String events(String query) {
    return "/v1/topics/" + topic + "/events" + query;
  }

  private void publish(String body, int count) throws Exception {
    JsonArray messages = new JsonArray();
    IntStream.range(0, count).forEach(i -> messages.add(new JsonObject().put("body", body + i)));
    Http.Reply sent = http.json("POST", "/v1/topics/" + topic + "/messages", new JsonObject().put("messages", messages));
    assertThat(sent.status()).as(sent.text()).isEqualTo(201);
  }

  private int members(String group) {
    try {
      return http.get("/v1/groups/" + group).json().getJsonArray("members", new JsonArray()).size();
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private long lag(String group) {
    try {
      return http.get("/v1/groups/" + group).json().getLong("lag", -1L);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }
}
