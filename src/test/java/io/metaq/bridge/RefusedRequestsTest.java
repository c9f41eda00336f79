package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.model.AddressRanges;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the bridge does not do, and how it says so: always a problem document, never half of something. */
@Timeout(120)
class RefusedRequestsTest {
  private static final int MAX_BODY_BYTES = 100_000;
  private static final String SEND = "/v1/topics/T/messages";

  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of());

  /** Answers to mq.example, lets pages of app.example in, and nobody administer. */
  private static Http strict;

  @BeforeAll
  static void startStrictBridge() throws Exception {
    strict = new Http(SERVER.bridge(AddressRanges.parse("10.0.0.0/8"), List.of("https://app.example"), List.of("mq.example"),
        MAX_BODY_BYTES, BridgeLimits.standard()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "{                                    | MALFORMED_JSON  | is no JSON",
    "                                     | MALFORMED_JSON  | is no JSON",
    "[]                                   | MALFORMED_JSON  | must begin with",
    "{}                                   | INVALID_MESSAGE | exactly one of 'body', 'bodyBase64' and 'json'",
    "{\"body\":1}                         | INVALID         | 'body' must be a string",
    "{\"body\":\"x\",\"json\":1}          | INVALID_MESSAGE | exactly one of",
    "{\"bodyBase64\":\"%\"}               | INVALID_MESSAGE | no Base64",
    "{\"body\":\"x\",\"tga\":\"y\"}       | INVALID         | no field 'tga'",
    "{\"body\":\"x\",\"tag\":\"\"}        | INVALID_MESSAGE | must not be empty",
    "{\"body\":\"x\",\"keys\":\"k\"}      | INVALID         | 'keys' must be an array",
    "{\"body\":\"x\",\"keys\":[1]}        | INVALID         | an array of strings",
    "{\"body\":\"x\",\"keys\":[\"a b\"]}  | INVALID_MESSAGE | a key must not",
    "{\"body\":\"x\",\"properties\":{\"a\":null}} | INVALID | the property 'a' must be a string, and not null",
    "{\"body\":\"x\",\"properties\":{\"UNIQ_KEY\":\"a\"}} | INVALID_MESSAGE | is the system's",
    "{\"body\":\"x\",\"properties\":{\"a\":\"\\u0001\"}} | INVALID_MESSAGE | characters 1 and 2",
    "{\"body\":\"x\",\"delayMs\":-1}      | INVALID_MESSAGE | must not be negative",
    "{\"body\":\"x\",\"delayMs\":1.5}     | INVALID         | whole number",
    "{\"body\":\"x\",\"delayMs\":1,\"deliverAt\":\"2026-01-31T12:00:00Z\"} | INVALID_MESSAGE | exclude each other",
    "{\"body\":\"x\",\"deliverAt\":\"tomorrow\"} | INVALID_MESSAGE | a time with its zone",
    "{\"body\":\"x\",\"deliverAt\":\"+999999999-01-01T00:00:00Z\"} | INVALID_MESSAGE | a time with its zone",
    "{\"messages\":[]}                    | INVALID         | between 1 and 1024",
    "{\"messages\":[{\"body\":\"x\"},{}]} | INVALID_MESSAGE | message 1: exactly one of",
    "{\"messages\":[1]}                   | INVALID         | array of objects"})
  void shouldRefuseAMessageThatIsNone(String json, Fault fault, String words) throws Exception {
    Http.Reply reply = open().json("POST", SEND, json == null ? "" : json);

    assertProblem(reply, fault, words);
  }

  @Test
  void shouldCountKeysAndPropertiesBeforeItTakesThem() throws Exception {
    JsonArray keys = new JsonArray();
    JsonObject properties = new JsonObject();
    for (int i = 0; i < 257; i++) {
      keys.add("k" + i);
      properties.put("p" + i, "v");
    }
    JsonObject many = new JsonObject().put("body", "x").put("properties", properties);

    assertProblem(open().json("POST", SEND, new JsonObject().put("body", "x").put("keys", keys)), Fault.INVALID_MESSAGE, "256 entries");
    assertProblem(open().json("POST", SEND, many), Fault.INVALID_MESSAGE, "256 entries");
    properties.clear().put("p", "\u20ac".repeat(11_000));
    assertProblem(open().json("POST", SEND, many), Fault.INVALID_MESSAGE, "33003 bytes in all, at most 31744");
    assertProblem(open().call("POST", SEND, "x", "Content-Type", "text/x", "MQ-Keys", String.join(" ", Collections.nCopies(257, "k"))),
        Fault.INVALID_MESSAGE, "256 entries");
  }

  @Test
  void shouldTakeAsManyBytesAsItSaysOfTagAndKeysAndProperties() throws Exception {
    String value = "v".repeat(31_744 - "TAGS".length() - "paid".length() - "p".length() - 2 * 2);
    JsonObject longest = new JsonObject().put("body", "x").put("tag", "paid").put("properties", new JsonObject().put("p", value));
    JsonObject later = longest.copy().put("delayMs", 1).put("tag", "p").put("properties", new JsonObject().put("p", value.substring(20)));

    assertThat(open().json("POST", SEND, longest).status()).isEqualTo(201);
    assertThat(open().json("POST", SEND, later, "Idempotency-Key", "k".repeat(128)).status()).isEqualTo(201);
    assertProblem(open().json("POST", SEND, longest.put("tag", "paid!")), Fault.INVALID_MESSAGE, "31745 bytes in all");
    assertProblem(open().call("POST", SEND, "x", "Content-Type", "text/x", "MQ-Order-Key", "k".repeat(31_744)),
        Fault.INVALID_MESSAGE, "bytes in all, at most 31744");
  }

  @Test
  void shouldSendNothingOfABatchWithAMessageThatIsTooLong() throws Exception {
    String path = "/v1/topics/batch/messages";
    JsonObject first = new JsonObject().put("body", "first");
    JsonObject large = new JsonObject().put("body", "x".repeat(5 << 20));
    JsonObject wordy = new JsonObject().put("body", "x").put("properties", new JsonObject().put("p", "\u20ac".repeat(11_000)));

    for (JsonObject second : List.of(large, wordy, new JsonObject().put("body", "x").put("tag", "t".repeat(31_744)))) {
      Http.Reply reply = open().json("POST", path, new JsonObject().put("messages", new JsonArray().add(first).add(second).add(first)));

      assertProblem(reply, Fault.INVALID_MESSAGE, "message 1: ");
      assertThat(reply.json().containsKey("receipts")).isFalse();
    }
    assertProblem(open().json("POST", path, large), Fault.INVALID_MESSAGE, "at most 4194304");
    assertThat(open().get("/v1/topics/batch").status()).as("the topic that the first message would have made").isEqualTo(404);
  }

  @Test
  void shouldCountTheKeysAndPropertiesOfAllMessagesOfARequest() throws Exception {
    JsonObject properties = new JsonObject();
    IntStream.range(0, 250).forEach(i -> properties.put("p" + i, "v"));
    JsonArray messages = new JsonArray(Collections.nCopies(70, new JsonObject().put("body", "x").put("properties", properties)));

    Http.Reply reply = open().json("POST", SEND, new JsonObject().put("messages", messages));

    assertProblem(reply, Fault.INVALID_MESSAGE, "16384 keys and properties");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "MQ-Delay-Ms|soon|INVALID|the header MQ-Delay-Ms must be a whole number",
    "MQ-Tga|x|INVALID_MESSAGE|there is no header 'mq-tga'",
    "MQ-Property-UNIQ_KEY|x|INVALID_MESSAGE|is the system's",
    "MQ-Tag||INVALID_MESSAGE|must not be empty",
    "Idempotency-Key|a b|INVALID|visible ASCII"})
  void shouldRefuseHeadersThatNoMessageHas(String name, String value, Fault fault, String words) throws Exception {
    Http.Reply reply = open().call("POST", SEND, "x", "Content-Type", "application/octet-stream", name, value == null ? "" : value);

    assertThat(reply.text().toLowerCase()).contains(words.toLowerCase());
    assertThat(reply.json().getString("type")).isEqualTo(fault.type());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "GET|/v1/topics/no-such-topic|UNKNOWN_TOPIC|does not exist",
    "GET|/v1/topics/a%20b|INVALID|illegal character at position 1",
    "GET|/v1/topics/a%0d%0aX-Injected:%201|INVALID|illegal character at position 1",
    "GET|/v1/topics/T/messages|INVALID|'key', 'from' and 'cursor' must be there",
    "GET|/v1/topics/no-such-topic/messages?key=k|UNKNOWN_TOPIC|does not exist",
    "GET|/v1/topics/no-such-topic/queues/b/0/messages?offset=0|UNKNOWN_TOPIC|does not exist",
    "GET|/v1/topics/T/queues/b/-1/messages?offset=0|INVALID|the queue in the path must be a number",
    "GET|/v1/topics/T/queues/b/0/messages?offset=-1|INVALID|'offset' must be between 0",
    "GET|/v1/topics/T/queues/b/0/messages?offset=x|INVALID|must be a whole number",
    "GET|/v1/topics/T/queues/b/0/messages?offset=9999999999999999999|INVALID|out of range",
    "GET|/v1/topics/T/queues/b/0/messages?max=0|INVALID|'max' must be between 1",
    "GET|/v1/topics/T/queues/b/0/messages?wait=long|INVALID|a time like 15s",
    "GET|/v1/topics/T/queues/b/0/messages?wait=61s|INVALID|at most 60s",
    "GET|/v1/messages/00000000000000000000000000000000|UNKNOWN_MESSAGE|no message has the id",
    "GET|/v1/messages/no-id|UNKNOWN_MESSAGE|no message has the id",
    "GET|/v1/groups/no-such-group|UNKNOWN_GROUP|does not exist",
    "GET|/v1/groups/a%20b|INVALID|illegal character",
    "DELETE|/v1/groups/no-such-group|UNKNOWN_GROUP|does not exist",
    "DELETE|/v1/topics/no-such-topic|UNKNOWN_TOPIC|does not exist",
    "GET|/v1/nothing|NO_SUCH_PATH|nothing at this path",
    "GET|/..%2f..%2fetc/passwd|NO_SUCH_PATH|nothing at this path",
    "GET|/%2e%2e/%2e%2e/etc/passwd|NO_SUCH_PATH|nothing at this path",
    "GET|/index.html|NO_SUCH_PATH|nothing at this path",
    "PUT|/v1/cluster|WRONG_METHOD|takes GET, HEAD only",
    "POST|/v1/topics|WRONG_METHOD|takes GET, HEAD only",
    "PATCH|/v1/topics/T|WRONG_METHOD|takes DELETE, GET, HEAD, PUT only"})
  void shouldRefuseWhatIsNotThere(String method, String path, Fault fault, String words) throws Exception {
    assertProblem(open().call(method, path, null), fault, words);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "PUT  | /v1/topics/T          | {\"queues\":0}                             | INVALID       | 'queues' must be between 1",
    "PUT  | /v1/topics/T          | {\"type\":\"FAST\"}                        | INVALID       | 'type' must be NORMAL",
    "PUT  | /v1/topics/a%20b      | {}                                         | INVALID       | illegal character",
    "POST | /v1/groups/g/offsets  | {}                                         | INVALID       | 'topic' is missing",
    "POST | /v1/groups/g/offsets  | {\"topic\":\"T\",\"to\":\"soon\"}          | INVALID       | 'to' must be earliest, latest",
    "POST | /v1/groups/g/offsets  | {\"topic\":\"nowhere\",\"to\":{\"0\":1}}   | UNKNOWN_TOPIC | does not exist"})
  void shouldRefuseChangesThatAreNone(String method, String path, String json, Fault fault, String words) throws Exception {
    assertProblem(open().json(method, path, json), fault, words);
  }

  @Test
  void shouldTakeJsonOnlyWhereItSaysThatItIs() throws Exception {
    assertProblem(open().call("PUT", "/v1/topics/T", "{}", "Content-Type", "text/plain"), Fault.WRONG_TYPE, "Content-Type");
  }

  @Test
  void shouldRefuseABodyOverTheLimitBeforeItIsRead() throws Exception {
    String long1 = "x".repeat(MAX_BODY_BYTES + 1);

    assertProblem(strict.call("POST", SEND, long1, "Content-Type", "application/octet-stream"), Fault.INVALID_MESSAGE, "100001 bytes");
    Http.Reply over = strict.call("POST", SEND, "x".repeat(3 * MAX_BODY_BYTES), "Content-Type", "application/octet-stream");
    assertProblem(over, Fault.TOO_LARGE, "longer than");
  }

  /** A body that is sent when it is asked for, and does not come. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "POST|/v1/topics/T/messages|%d|HTTP/1.1 413 ",
    "POST|/v1/topics/a%%20b/messages|10|HTTP/1.1 400 ",
    "POST|/v1/nothing|10|HTTP/1.1 404 ",
    "PUT|/v1/topics/T/messages|10|HTTP/1.1 405 "})
  void shouldRefuseABodyBeforeItIsSentAndWaitForNoOtherRequest(String method, String path, String length, String status) throws Exception {
    String head = "Host: mq.example\r\nContent-Type: text/x\r\nExpect: 100-continue\r\nContent-Length: ";

    String answer = raw(method + " " + path.formatted() + " HTTP/1.1\r\n" + head + length.formatted(2 * MAX_BODY_BYTES + (64 << 10) + 1)
        + "\r\n\r\n");

    assertThat(answer).startsWith(status).containsIgnoringCase("connection: close");
  }

  @Test
  void shouldAskForABodyThatIsHeldBack() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", strict.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(("POST " + SEND + " HTTP/1.1\r\nHost: mq.example\r\nContent-Type: text/x\r\n"
          + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      assertThat(in.readLine()).startsWith("HTTP/1.1 100 ");
      assertThat(in.readLine()).isEmpty();

      socket.getOutputStream().write("ab".getBytes(StandardCharsets.US_ASCII));

      assertThat(in.readLine()).startsWith("HTTP/1.1 201 ");
      assertThat(in.lines().takeWhile(line -> !line.isEmpty())).noneMatch(line -> line.toLowerCase().startsWith("connection"));
    }
  }

  @Test
  void shouldRefuseAHostThatIsNotItsOwn() throws Exception {
    assertProblem(strict.get("/v1/topics", "Host", "evil.example"), Fault.HOST_REFUSED, "httpHosts");
    assertThat(strict.get("/v1/topics", "Host", "mq.example:8080").status()).isEqualTo(200);
    assertThat(strict.get("/v1/topics", "Host", "LOCALHOST").status()).isEqualTo(200);
    assertThat(strict.get("/v1/topics", "Host", "[::1]:8080").status()).isEqualTo(200);
    assertThat(strict.get("/health/live", "Host", "evil.example").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://evil.example", "null", "https://app.example.evil.example", "file://", "https://evil.example/app.example"})
  void shouldKeepPagesOfOtherOriginsFromChangingAndFromSeeing(String origin) throws Exception {
    Http.Reply change = strict.json("POST", SEND, new JsonObject().put("body", "x"), "Origin", origin);
    Http.Reply read = strict.get("/v1/topics", "Origin", origin);

    assertProblem(change, Fault.ORIGIN_REFUSED, "another origin");
    assertThat(read.header("Access-Control-Allow-Origin")).isNull();
    assertThat(read.header("Vary")).isEqualTo("Origin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://app.example", "http://localhost:5173", "http://127.0.0.1:3000", "http://mq.example"})
  void shouldLetAllowedPagesIn(String origin) throws Exception {
    Http.Reply change = strict.json("POST", SEND, new JsonObject().put("body", "x"), "Origin", origin, "Host", "mq.example");

    assertThat(change.status()).as(change.text()).isEqualTo(201);
    assertThat(change.header("Access-Control-Allow-Origin")).isEqualTo(origin);
  }

  @ParameterizedTest
  @CsvSource({"/v1/nothing, 404", "/v1/topics/%zz, 400", "/console/none.js, 404"})
  void shouldLetAllowedPagesReadThatThereIsNothing(String path, int status) throws Exception {
    String origin = " HTTP/1.1\r\nHost: localhost\r\nOrigin: ";
    List<String> allowed = head("GET " + path + origin + "http://localhost:5173\r\n\r\n");
    List<String> foreign = head("GET " + path + origin + "https://evil.example\r\n\r\n");

    assertThat(allowed.get(0)).startsWith("http/1.1 " + status);
    assertThat(allowed).contains("access-control-allow-origin: http://localhost:5173").anyMatch(line -> line.startsWith("vary: origin"));
    assertThat(foreign.get(0)).startsWith("http/1.1 " + status);
    assertThat(foreign).noneMatch(line -> line.startsWith("access-control-allow-origin")).anyMatch(line -> line.startsWith("vary: origin"));
  }

  @Test
  void shouldAnswerTheQuestionOfABrowserBeforeACall() throws Exception {
    Http.Reply allowed = strict.call("OPTIONS", SEND, null, "Origin", "https://app.example", "Access-Control-Request-Method", "POST",
        "Access-Control-Request-Headers", "content-type,mq-tag");
    Http.Reply refused = strict.call("OPTIONS", SEND, null, "Origin", "https://evil.example", "Access-Control-Request-Method", "POST");

    assertThat(allowed.status()).isEqualTo(204);
    assertThat(allowed.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example");
    assertThat(allowed.header("Access-Control-Allow-Methods")).isEqualTo("GET, HEAD, POST");
    assertThat(allowed.header("Access-Control-Allow-Headers")).isEqualTo("content-type,mq-tag");
    assertThat(refused.header("Access-Control-Allow-Origin")).isNull();
    assertThat(refused.header("Access-Control-Allow-Methods")).isNull();
  }

  @Test
  void shouldRefuseWhatABrowserSendsWithoutSayingItsOrigin() throws Exception {
    assertProblem(strict.call("POST", SEND, "x", "Content-Type", "text/plain", "Sec-Fetch-Site", "cross-site"),
        Fault.ORIGIN_REFUSED, "another origin");
    assertProblem(strict.call("POST", SEND, "x", "Content-Type", "application/x-www-form-urlencoded", "Referer", "https://evil.example/page"),
        Fault.ORIGIN_REFUSED, "another origin");
    assertThat(strict.call("POST", SEND, "x", "Content-Type", "text/plain").status()).isEqualTo(201);
  }

  @Test
  void shouldLetOnlyAllowedAddressesAdminister() throws Exception {
    assertProblem(strict.json("PUT", "/v1/topics/T2", "{}"), Fault.NOT_PERMITTED, "adminAllowedFrom");
    assertProblem(strict.delete("/v1/topics/T2"), Fault.NOT_PERMITTED, "adminAllowedFrom");
    assertProblem(strict.delete("/v1/groups/g"), Fault.NOT_PERMITTED, "adminAllowedFrom");
    assertProblem(strict.json("POST", "/v1/groups/g/offsets", "{}"), Fault.NOT_PERMITTED, "adminAllowedFrom");
    assertThat(strict.get("/v1/topics").status()).isEqualTo(200);
  }

  /** The answer to a request after which the other side ends the connection. */
  private static String raw(String request) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", strict.port())) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/health/live", "/metrics", "/v1/topics", "/v1/topics/no-such-topic", "/v1/cluster"})
  void shouldTellTheHeadAlone(String path) throws Exception {
    String rest = " " + path + " HTTP/1.1\r\nHost: mq.example\r\nConnection: close\r\n\r\n";
    String whole = raw("GET" + rest);
    String head = raw("HEAD" + rest);

    assertThat(head).endsWith("\r\n\r\n").containsPattern("(?i)content-length: [1-9]");
    // Figures of metrics grow.
    assertThat(names(head)).isEqualTo(names(whole.substring(0, whole.indexOf("\r\n\r\n") + 4)));
  }

  private static List<String> names(String head) {
    return head.lines().map(line -> line.replaceFirst("(?i)^(content-length: ).*", "$1").toLowerCase()).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/ws", "/v1/topics/T/events"})
  void shouldGiveNoHeadOfStreams(String path) throws Exception {
    assertThat(raw("HEAD " + path + " HTTP/1.1\r\nHost: mq.example\r\nConnection: close\r\n\r\n")).startsWith("HTTP/1.1 405 ");
  }

  static List<String> hardlyHttp() {
    String host = " HTTP/1.1\r\nHost: localhost\r\n";
    String upgrade = "GET /v1/ws" + host + "Upgrade: websocket\r\n";
    return List.of(
        "GET / HTTP/1.1\r\n\r\n",
        "GET v1/topics" + host + "\r\n",
        "GET ?key=/" + host + "\r\n",
        "OPTIONS *" + host + "\r\n",
        "GET /v1/topics HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /v1/topics/%zz" + host + "\r\n",
        "GET /v1/topics/T/messages?key=%zz" + host + "\r\n",
        "nonsense\r\n\r\n",
        "GET /" + host + "X: a\u0000b\r\n\r\n",
        "POST " + SEND + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST " + SEND + host + "Content-Length: +1\r\n\r\na",
        "POST " + SEND + host + "Content-Length: 1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "POST " + SEND + host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
        "POST " + SEND + host + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
        "POST " + SEND + host + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
        "GET /" + host + "X: a\rInjected: b\r\n\r\n",
        upgrade + "\r\n",
        upgrade + "Connection: Upgrade\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        upgrade + "Connection: Upgraded\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        upgrade + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\r\n",
        upgrade + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n\r\n");
  }

  @ParameterizedTest
  @MethodSource("hardlyHttp")
  void shouldAnswerWhatIsHardlyHttpWithAProblemAndWithoutFailing(String request) throws Exception {
    List<String> head = head(request);

    assertThat(head.get(0)).matches("http/1[.][01] 4.. .*");
    assertThat(head).contains("content-type: application/problem+json");
    assertThat(open().get("/health/live").status()).isEqualTo(200);
  }

  @Test
  void shouldSayThatALineOrTheHeadersAreTooLong() throws Exception {
    assertThat(head("GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        .contains("http/1.0 414 request-uri too long", "content-type: application/problem+json", "connection: close");
    assertThat(head("GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(100_000) + "\r\n\r\n"))
        .contains("http/1.1 431 request header fields too large", "content-type: application/problem+json", "connection: close");
  }

  /** What a proxy would hide behind a body whose end it sees elsewhere. */
  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n"})
  void shouldNotServeWhatFollowsABodyThatEndsInTwoPlaces(String lengths) throws Exception {
    String hidden = "GET /v1/cluster HTTP/1.1\r\nHost: localhost\r\n\r\n";
    String answers = answers("POST " + SEND + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x\r\n" + lengths + "\r\n0\r\n\r\n" + hidden);

    assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(2);
    assertThat(answers).contains("onnection: close").doesNotContain("brokers");
  }

  @Test
  void shouldTakeNothingOfABodyWhoseChunksAreBroken() throws Exception {
    String answers = answers("POST /v1/topics/broken/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/x\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\nzz\r\nx\r\n0\r\n\r\n");

    assertThat(answers).doesNotContain(" 201 ");
    assertThat(open().get("/v1/topics/broken").status()).isEqualTo(404);
  }

  /** The first lines of an answer, in lower case. */
  private static List<String> head(String request) throws Exception {
    List<String> head = new ArrayList<>();
    try (Socket socket = asking(request)) {
      BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
        head.add(line.toLowerCase());
      }
    }
    return head;
  }

  /** All that is answered until the connection ends. */
  private static String answers(String request) throws Exception {
    try (Socket socket = asking(request)) {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  private static Socket asking(String request) throws Exception {
    Socket socket = new Socket("127.0.0.1", SERVER.httpPort());
    socket.setSoTimeout(30_000);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  private static Http open() {
    return new Http(SERVER.httpPort());
  }

  private static void assertProblem(Http.Reply reply, Fault fault, String words) {
    assertThat(reply.header("Content-Type")).as(reply.text()).isEqualTo("application/problem+json");
    JsonObject problem = reply.json();
    assertThat(problem.getString("detail")).contains(words);
    assertThat(problem.getString("type")).isEqualTo(fault.type());
    assertThat(reply.status()).isEqualTo(fault.status());
    assertThat(problem.getInteger("status")).isEqualTo(fault.status());
    assertThat(problem.getString("title")).isEqualTo(fault.title());
    assertThat(problem.getInteger("code")).isNotNull();
  }
}
