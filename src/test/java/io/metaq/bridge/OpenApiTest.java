package io.metaq.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.client.MetaqClient;
import io.metaq.client.MetaqClientOptions;
import io.metaq.model.AddressRanges;
import io.metaq.model.Clock;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.OutputUnit;
import io.vertx.json.schema.SchemaRepository;
import io.vertx.openapi.contract.OpenAPIVersion;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code openapi.json} says what the bridge does, all of it and nothing else: its examples are sent to a real broker. */
@Timeout(120)
class OpenApiTest {
  @RegisterExtension
  static final Standalone SERVER = new Standalone(Map.of("brokerName", "broker-a"));

  private static final OpenApi DOCUMENT = OpenApi.resolved();
  private static final String RULES = "https://spec.openapis.org/oas/3.1/schema/2022-10-07";
  private static final String WEB_SOCKET = "openWebSocket";
  private static final String EVENTS = "text/event-stream";
  private static final long LIMIT_S = 60;

  private static Http http;

  /** What the examples of reading speak of: a message in the only queue of its topic, and a group that has not read it. */
  @BeforeAll
  static void makeWhatTheExamplesSpeakOf() throws Exception {
    http = new Http(SERVER.httpPort());
    http.json("PUT", "/v1/topics/orders", new JsonObject().put("queues", 1));
    HttpApiTest.await("the topic is served", () -> status("/v1/topics/orders") == 200);
    http.json("POST", "/v1/topics/orders/messages",
        new JsonObject().put("body", "x").put("tag", "paid").put("keys", new JsonArray().add("o-1")), "Idempotency-Key", "order-7");
    HttpApiTest.await("the index has the message", () -> status("/v1/messages/order-7?topic=orders") == 200);
    SERVER.makeGroup("billing");
    http.json("POST", "/v1/groups/billing/offsets", new JsonObject().put("topic", "orders").put("to", "earliest"));
    HttpApiTest.await("the group is behind", () -> json("/v1/groups/billing").getLong("lag", 0L) == 1);
  }

  @Test
  void shouldKeepToTheRulesOfOpenApi() throws Exception {
    SchemaRepository rules = OpenAPIVersion.V3_1.getRepository(SERVER.vertx(), "app://rules")
        .toCompletionStage().toCompletableFuture().get(LIMIT_S, TimeUnit.SECONDS);

    OutputUnit found = rules.validator(RULES).validate(OpenApi.packed());

    assertThat(found.getValid()).as(found.toString()).isTrue();
    assertThat(DOCUMENT.schemas()).isNotEmpty().allSatisfy(schema ->
        assertThat(rules.validator(Draft.DRAFT202012.getIdentifier()).validate(schema).getValid()).as(schema.encode()).isTrue());
    assertThat(DOCUMENT.operations()).extracting(operation -> operation.json().getString("operationId")).doesNotHaveDuplicates();
  }

  @Test
  void shouldDescribeEachRouteOfTheRouterAndNoOther() {
    MetaqClient client = MetaqClient.create(SERVER.vertx(), new MetaqClientOptions().setNameServers(SERVER.nameServers()));
    BridgeOptions options = new BridgeOptions(BridgeOptions.Scope.CLUSTER, "127.0.0.1", 0, SERVER.nameServers(), 1,
        AddressRanges.LOOPBACK, List.of(), List.of(), BridgeLimits.standard(), List.of());
    Readings readings = new Readings(SERVER.vertx(), client, options.limits(), Clock.system());
    Connections connections = new Connections(1, Clock.system());
    IncomingBytes incoming = new IncomingBytes(1);
    List<Route> routes = Routes.of(SERVER.vertx(), client, readings, new AnswerCounts(), options, connections, incoming, Clock.system());

    List<String> served = new HttpDoor(routes, new RequestGuard(options), connections, 1, incoming, answer -> { })
        .router(SERVER.vertx()).getRoutes().stream()
        .filter(route -> route.methods() != null)
        .filter(route -> !isFolder(route.getPath()))
        // What answers HEAD answers GET, and is described there.
        .flatMap(route -> route.methods().stream().filter(method -> method != HttpMethod.HEAD)
            .map(method -> method.name() + " " + templated(route.getPath())))
        .toList();
    client.close().await().atMost(Duration.ofSeconds(LIMIT_S));

    assertThat(served).isNotEmpty();
    assertThat(DOCUMENT.operations().stream().map(operation -> operation.method() + " " + operation.path()))
        .containsExactlyInAnyOrderElementsOf(served);
  }

  /** The console's own files: they are for its pages alone, and change with them. */
  private static boolean isFolder(String routerPath) {
    return routerPath.equals(StaticFiles.CONSOLE) || routerPath.equals(StaticFiles.LIBRARIES);
  }

  private static String templated(String routerPath) {
    return routerPath.replaceAll(":([a-z]+)", "{$1}");
  }

  @Test
  void shouldGiveExamplesThatKeepToTheirSchemas() {
    assertThat(DOCUMENT.withExamples()).isNotEmpty().allSatisfy(described ->
        assertThat(OpenApi.examples(described)).allSatisfy(example ->
            assertThat(OpenApi.fault(described.getJsonObject("schema"), example)).as(Json.encode(example)).isEmpty()));
  }

  @Test
  void shouldGiveAnExampleOfEveryOperation() {
    assertThat(DOCUMENT.operations()).allSatisfy(operation -> assertThat(operation.requests()).isNotEmpty());
  }

  @ParameterizedTest
  @MethodSource("requests")
  void shouldAnswerEachExampleAsItSays(OpenApi.Request request) throws Exception {
    Http.Reply reply = answer(request);

    assertThat(reply.status()).as(reply.text()).isBetween(200, 299);
    assertThat(request.operation().answer(reply.status())).as("what is said of " + reply.status()).isNotNull();
    assertKeepsTo(request.operation().content(reply.status()), reply);
  }

  /** What deletes comes last, so that all else finds what it speaks of. */
  static Stream<OpenApi.Request> requests() {
    return DOCUMENT.operations().stream()
        .filter(operation -> !operation.json().getString("operationId").equals(WEB_SOCKET))
        .sorted(Comparator.comparing(operation -> operation.method().equals("DELETE")))
        .flatMap(operation -> operation.requests().stream());
  }

  @Test
  void shouldOpenTheWebSocketItDescribes() throws Exception {
    OpenApi.Operation described = DOCUMENT.operation(WEB_SOCKET);
    List<String> headers = Arrays.asList(described.requests().get(0).headers());

    try (WsPeer peer = WsPeer.connect(SERVER.vertx(), SERVER.httpPort(), List.of(headers.get(1)), null)) {
      assertThat(described.path()).isEqualTo("/v1/ws");
      assertThat(described.answer(101)).isNotNull();
      assertThat(headers.get(0)).isEqualTo("Sec-WebSocket-Protocol");
      assertThat(peer.socket().subProtocol()).isEqualTo(headers.get(1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
      "/v1/topics/nowhere", "/v1/groups/nobody", "/v1/messages/nothing", "/v1/ws", "/v1/topics/orders/messages?max=0"})
  void shouldAnswerWithTheProblemDocumentItDescribes(String path) throws Exception {
    Http.Reply reply = http.get(path);

    assertThat(reply.status()).isBetween(400, 499);
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(OpenApi.fault(DOCUMENT.schema("Problem"), reply.json())).as(reply.text()).isEmpty();
  }

  @Test
  void shouldNameEachKindOfProblem() {
    JsonArray types = DOCUMENT.schema("Problem").getJsonObject("properties").getJsonObject("type").getJsonArray("enum");

    assertThat(types.stream()).containsExactlyInAnyOrderElementsOf(Arrays.stream(Fault.values()).map(Fault::type).toList());
  }

  /** What is read may be there a moment later. */
  private static Http.Reply answer(OpenApi.Request request) throws Exception {
    if (!request.operation().method().equals("GET")) {
      return http.call(request.operation().method(), request.target(), request.text(), request.headers());
    }
    if (request.operation().content(200).containsKey(EVENTS)) {
      return http.line(request.target(), "data:");
    }
    AtomicReference<Http.Reply> last = new AtomicReference<>();
    HttpApiTest.await(request + " is answered", () -> {
      last.set(get(request.target()));
      return last.get().status() == 200;
    });
    return last.get();
  }

  private static void assertKeepsTo(JsonObject content, Http.Reply reply) {
    if (content.isEmpty()) {
      assertThat(reply.text()).isEmpty();
      return;
    }
    String type = reply.header("Content-Type").replaceFirst(";.*", "");
    assertThat(content.fieldNames()).contains(type);
    if (type.equals(EVENTS)) {
      assertThat(OpenApi.fault(DOCUMENT.schema("Message"), new JsonObject(reply.text().substring("data:".length())))).isEmpty();
    } else {
      Object body = type.equals(Answer.JSON) ? Json.decodeValue(reply.text()) : reply.text();
      assertThat(OpenApi.fault(content.getJsonObject(type).getJsonObject("schema"), body)).as(reply.text()).isEmpty();
    }
  }

  private static Http.Reply get(String path) {
    try {
      return http.get(path);
    } catch (Exception failure) {
      throw new AssertionError(failure);
    }
  }

  private static int status(String path) {
    return get(path).status();
  }

  private static JsonObject json(String path) {
    return get(path).json();
  }
}
