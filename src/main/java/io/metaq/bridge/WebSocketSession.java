package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.client.Position;
import io.metaq.model.Clock;
import io.metaq.model.OwnedBy;
import io.metaq.model.Topics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.http.WebSocketFrame;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One WebSocket that speaks {@code metaq.v1.json}: a JSON object in each text frame, an operation in each object. */
@OwnedBy("BridgeVerticle")
final class WebSocketSession {
  static final String PROTOCOL = "metaq.v1.json";

  private static final Logger log = LoggerFactory.getLogger(WebSocketSession.class);
  private static final short NOT_UNDERSTOOD = 1003;
  private static final short NO_UTF8 = 1007;
  private static final short TOO_BIG = 1009;
  private static final short GOING_AWAY = 1001;
  private static final int DEFAULT_CREDIT = 64;
  private static final int MOST_CREDIT = 1_000_000;
  private static final int MOST_NAME = 128;
  private static final int MOST_PUBLISHING = 256;
  private static final int MOST_HANDLES = 1024;
  private static final int DAY_MS = 86_400_000;

  private final Vertx vertx;
  private final ServerWebSocket socket;
  private final Sender sender;
  private final Readings readings;
  private final BridgeLimits limits;
  private final Clock clock;
  private final int maxFrameBytes;
  private final IncomingBytes incoming;
  private final Outbox outbox;
  private final Map<String, Subscribed> subscriptions = new HashMap<>();
  private final SessionWatches watches;
  private final long timer;
  /** Of a message that comes in several frames, what has come. */
  private Buffer begun = Buffer.buffer();
  private long heardNs;
  private int publishing;
  private boolean closed;

  /** One subscription; {@code reading} is not there while it begins. */
  @OwnedBy("BridgeVerticle")
  private final class Subscribed implements Outlet {
    private final String name;
    private final String nameJson;
    private final Room room;
    private Reading reading;

    Subscribed(String name) {
      this.name = name;
      this.nameJson = Json.encode(name);
      this.room = new Room(0);
    }

    @Override
    public Future<Void> message(Item item) {
      return outbox.send(Frames.message(nameJson, item));
    }

    @Override
    public void failed(Throwable cause) {
      subscriptions.remove(name, this);
      refuse(Optional.empty(), Optional.of(name), cause);
    }
  }

  /** @param gone is told once the connection has ended */
  WebSocketSession(
      Vertx vertx, ServerWebSocket socket, Sender sender, Readings readings, Watches watches, BridgeLimits limits, int maxFrameBytes,
      IncomingBytes incoming, Clock clock, Runnable gone) {
    this.vertx = vertx;
    this.socket = socket;
    this.sender = sender;
    this.readings = readings;
    this.limits = limits;
    this.maxFrameBytes = maxFrameBytes;
    this.incoming = incoming;
    this.clock = clock;
    this.outbox = new Outbox(socket);
    this.watches = new SessionWatches(watches, outbox);
    this.heardNs = clock.nanos();
    this.timer = vertx.setPeriodic(limits.pingMs(), tick -> tick());
    socket.frameHandler(this::heard);
    socket.exceptionHandler(this::broken);
    socket.closeHandler(ended -> {
      gone.run();
      closed();
    });
  }

  /** Puts messages together of their frames: Vert.x would make strings of them in which what is no UTF-8 stands replaced. */
  private void heard(WebSocketFrame frame) {
    heardNs = clock.nanos();
    if (closed || !frame.isText() && !frame.isBinary() && !frame.isContinuation()) {
      return;
    }
    Buffer part = frame.binaryData();
    if (frame.isBinary()) {
      end(NOT_UNDERSTOOD, "text frames only");
    } else if (begun.length() + part.length() > maxFrameBytes) {
      end(TOO_BIG, "a message has at most " + maxFrameBytes + " bytes");
    } else if (!frame.isFinal()) {
      begun.appendBuffer(part);
    } else {
      Buffer whole = begun.length() == 0 ? part : begun.appendBuffer(part);
      begun = Buffer.buffer();
      message(whole);
    }
  }

  private void message(Buffer bytes) {
    Optional<String> text = Text.ofUtf8(bytes.getBytes());
    if (text.isPresent()) {
      message(text.get(), bytes.length());
    } else {
      end(NO_UTF8, "the text is not in UTF-8");
    }
  }

  private void broken(Throwable cause) {
    log.debug("websocket broke remote={} cause={}", socket.remoteAddress(), cause.getMessage());
  }

  private void message(String text, int length) {
    JsonReader json;
    try {
      json = JsonReader.parse(text);
    } catch (BridgeException malformed) {
      refuse(Optional.empty(), Optional.empty(), malformed);
      end(NOT_UNDERSTOOD, "JSON that cannot be read");
      return;
    }
    Optional<String> ref = Optional.empty();
    Optional<String> sub = Optional.empty();
    try {
      ref = name(json, "ref");
      sub = name(json, "sub");
      perform(json, ref, sub, length);
    } catch (RuntimeException refused) {
      refuse(ref, sub, refused);
    }
  }

  private static Optional<String> name(JsonReader json, String field) {
    Optional<String> name = json.text(field);
    name.filter(text -> text.isEmpty() || text.length() > MOST_NAME).ifPresent(text -> {
      throw Fault.INVALID.because("'" + field + "' must have 1 to " + MOST_NAME + " characters");
    });
    return name;
  }

  private void perform(JsonReader json, Optional<String> ref, Optional<String> sub, int length) {
    String op = json.requiredText("op");
    switch (op) {
      case "publish" -> publish(json, ref, length);
      case "subscribe" -> subscribe(json, ref, required(sub));
      case "credit" -> credit(json, ref, known(sub));
      case "ack" -> acknowledge(json, ref, known(sub));
      case "nack" -> sendBack(json, ref, known(sub));
      case "unsubscribe" -> unsubscribe(json, ref, known(sub));
      case "watch" -> {
        refuseTooMany();
        watches.watch(json, ref);
      }
      case "unwatch" -> watches.unwatch(json, ref);
      case "ping" -> outbox.send(Frames.answer("pong", ref));
      default -> throw Fault.UNKNOWN_OP.because("there is no op '" + Text.printable(op)
          + "'; known are publish, subscribe, credit, ack, nack, unsubscribe, watch, unwatch and ping");
    }
  }

  private void publish(JsonReader json, Optional<String> ref, int length) {
    String topic = Call.checked(json.requiredText("topic"), Topics.topicFault(json.requiredText("topic")));
    Message message = SendJson.message(topic, json, Set.of("op", "ref", "topic", "idempotencyKey"));
    Optional<IdempotencyKey> key = json.text("idempotencyKey").map(IdempotencyKey::parse);
    sender.check(message);
    if (publishing >= MOST_PUBLISHING) {
      throw Fault.TOO_MANY.because("more than " + MOST_PUBLISHING + " messages wait for their receipts; wait for some of them");
    }
    publishing++;
    incoming.add(length);
    if (incoming.isFull()) {
      outbox.holdReading(true);
      incoming.whenHalfFree(() -> outbox.holdReading(false));
    }
    sender.send(message, key)
        .onComplete(done -> {
          publishing--;
          incoming.release(length);
        })
        .onSuccess(receipt -> outbox.send(Frames.published(ref, receipt)))
        .onFailure(failure -> refuse(ref, Optional.empty(), failure));
  }

  private void subscribe(JsonReader json, Optional<String> ref, String name) {
    json.allow(Set.of("op", "ref", "sub", "topic", "group", "filter", "filterType", "from", "mode", "ack", "credit", "position"));
    Position from = Durations.position("'from'", json.text("from").orElse("latest"));
    boolean broadcast = choice(json, "mode", "group", "broadcast");
    Optional<String> group = json.text("group").filter(text -> !broadcast);
    Wanted wanted = Wanted.of(json.requiredText("topic"), group, json.text("filter"), json.text("filterType"), from);
    boolean byHand = choice(json, "ack", "auto", "manual");
    int credit = json.integer("credit", 0, MOST_CREDIT).orElse(DEFAULT_CREDIT);
    Optional<String> position = json.text("position");
    if (position.isPresent() && group.isPresent()) {
      throw Fault.INVALID.because("'position' is for readers without a group: a group's progress is the broker's");
    }
    if (byHand && group.isEmpty()) {
      throw Fault.INVALID.because("'ack' manual needs a group: a private reader has nothing to settle");
    }
    Subscribed subscribed = register(name);
    Future<Reading> reading;
    try {
      reading = group.isPresent() ? readings.member(wanted, byHand, subscribed.room, subscribed)
          : readings.alone(wanted, position, subscribed.room, subscribed);
    } catch (BridgeException refused) {
      reading = Future.failedFuture(refused);
    }
    reading.onSuccess(begun -> begin(subscribed, begun, credit, ref)).onFailure(failure -> {
      subscriptions.remove(name, subscribed);
      refuse(ref, Optional.of(name), failure);
    });
  }

  /** Whether the second of two words is there; the first is the usual. */
  private static boolean choice(JsonReader json, String field, String usual, String other) {
    String word = json.text(field).orElse(usual);
    if (!word.equals(usual) && !word.equals(other)) {
      throw Fault.INVALID.because("'" + field + "' must be " + usual + " or " + other);
    }
    return word.equals(other);
  }

  private Subscribed register(String name) {
    if (subscriptions.containsKey(name)) {
      throw Fault.CONFLICT.because("this connection has a subscription '" + Text.printable(name) + "' already");
    }
    refuseTooMany();
    Subscribed subscribed = new Subscribed(name);
    subscriptions.put(name, subscribed);
    return subscribed;
  }

  private void refuseTooMany() {
    if (subscriptions.size() + watches.count() >= limits.maxSubscriptions()) {
      throw Fault.TOO_MANY.because("a connection has at most " + limits.maxSubscriptions() + " subscriptions and watches");
    }
  }

  /** Nothing comes before the answer. */
  private void begin(Subscribed subscribed, Reading reading, int credit, Optional<String> ref) {
    if (subscriptions.get(subscribed.name) != subscribed) {
      reading.stop();
      // Without a ref it could be taken for a word about a later subscription of the name.
      ref.ifPresent(asked ->
          refuse(ref, Optional.of(subscribed.name), Fault.CONFLICT.because("the subscription was ended before it had begun")));
      return;
    }
    subscribed.reading = reading;
    JsonObject answer = Frames.answer("subscribed", ref).put("sub", subscribed.name);
    outbox.send(reading.position().isEmpty() ? answer : answer.put("position", reading.position()));
    subscribed.room.add(credit);
    reading.more();
  }

  private void credit(JsonReader json, Optional<String> ref, Subscribed subscribed) {
    json.allow(Set.of("op", "ref", "sub", "n"));
    int more = json.integer("n", 1, MOST_CREDIT).orElseThrow(() -> Fault.INVALID.because("'n' is missing"));
    subscribed.room.add(more);
    if (subscribed.reading != null) {
      subscribed.reading.more();
    }
    confirm("credited", ref);
  }

  private void acknowledge(JsonReader json, Optional<String> ref, Subscribed subscribed) {
    json.allow(Set.of("op", "ref", "sub", "handles"));
    List<String> handles = json.textList("handles");
    if (handles.isEmpty() || handles.size() > MOST_HANDLES) {
      throw Fault.INVALID.because("'handles' must name between 1 and " + MOST_HANDLES + " messages");
    }
    Reading reading = begun(subscribed);
    settled("acked", ref, subscribed, Future.join(handles.stream().map(reading::acknowledge).toList()));
  }

  private void sendBack(JsonReader json, Optional<String> ref, Subscribed subscribed) {
    json.allow(Set.of("op", "ref", "sub", "handle", "delayMs"));
    String handle = json.requiredText("handle");
    Optional<Duration> delay = json.integer("delayMs", 0, DAY_MS).map(Duration::ofMillis);
    settled("nacked", ref, subscribed, begun(subscribed).sendBack(handle, delay));
  }

  private void settled(String op, Optional<String> ref, Subscribed subscribed, Future<?> done) {
    done.onSuccess(fine -> confirm(op, ref)).onFailure(failure -> refuse(ref, Optional.of(subscribed.name), failure));
  }

  private static Reading begun(Subscribed subscribed) {
    if (subscribed.reading == null) {
      throw Fault.UNKNOWN_HANDLE.because("the subscription has not begun, so no message is open");
    }
    return subscribed.reading;
  }

  private void unsubscribe(JsonReader json, Optional<String> ref, Subscribed subscribed) {
    json.allow(Set.of("op", "ref", "sub"));
    subscriptions.remove(subscribed.name);
    Future<Void> stopped = subscribed.reading == null ? Future.succeededFuture() : subscribed.reading.stop();
    stopped.onComplete(done -> outbox.send(Frames.answer("unsubscribed", ref).put("sub", subscribed.name)));
  }

  /** Who does not ask gets no answer. */
  private void confirm(String op, Optional<String> ref) {
    ref.ifPresent(asked -> outbox.send(Frames.answer(op, ref)));
  }

  private static String required(Optional<String> sub) {
    return sub.orElseThrow(() -> Fault.INVALID.because("'sub' is missing: a name of your own for the subscription"));
  }

  private Subscribed known(Optional<String> sub) {
    Subscribed subscribed = subscriptions.get(required(sub));
    if (subscribed == null) {
      throw Fault.UNKNOWN_SUBSCRIPTION.because("this connection has no subscription '" + Text.printable(sub.orElseThrow()) + "'");
    }
    return subscribed;
  }

  private void refuse(Optional<String> ref, Optional<String> sub, Throwable cause) {
    outbox.send(Frames.error(ref, sub, BridgeException.of(cause).orElseGet(() -> {
      log.error("a frame failed remote={}", socket.remoteAddress(), cause);
      return Fault.INTERNAL.because("the bridge failed; its log says why");
    })));
  }

  private void tick() {
    if (outbox.waitsForRoom()) {
      heardNs = clock.nanos();
    }
    if (clock.nanos() - heardNs > limits.silentMs() * 1_000_000) {
      end(GOING_AWAY, "nothing was heard for too long");
    } else {
      socket.writePing(Buffer.buffer());
    }
  }

  private void end(short code, String reason) {
    if (!closed) {
      socket.close(code, reason);
      closed();
    }
  }

  private void closed() {
    if (!closed) {
      closed = true;
      outbox.close();
      watches.close();
      vertx.cancelTimer(timer);
      List.copyOf(subscriptions.values()).stream().filter(subscribed -> subscribed.reading != null)
          .forEach(subscribed -> subscribed.reading.stop());
      subscriptions.clear();
    }
  }
}
