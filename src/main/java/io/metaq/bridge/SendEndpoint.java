package io.metaq.bridge;

import io.metaq.client.Message;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code POST /v1/topics/{topic}/messages}: one message, or several in one request. */
final class SendEndpoint implements Endpoint {
  private static final int CREATED = 201;
  private static final int MOST_AT_ONCE = 1024;
  private static final int MOST_LABELS = 16_384;
  private static final String BATCH = "messages";

  private final Sender sender;

  SendEndpoint(Sender sender) {
    this.sender = sender;
  }

  @Override
  public Future<Answer> serve(Call call) {
    String topic = call.topic();
    Optional<IdempotencyKey> key = call.header("Idempotency-Key").map(IdempotencyKey::parse);
    return call.body().compose(body -> {
      if (!call.isJson()) {
        return one(RawSend.message(topic, body, call.headers()), key);
      }
      JsonReader json = JsonReader.parse(body);
      return json.mentions(BATCH) ? batch(topic, json, key) : one(SendJson.message(topic, json), key);
    });
  }

  private Future<Answer> one(Message message, Optional<IdempotencyKey> key) {
    sender.check(message);
    return sender.send(message, key).map(receipt -> Answer.json(CREATED, MessageJson.receipt(receipt).toBuffer())
        .with("Location", "/v1/messages/" + receipt.offsetMessageId()));
  }

  /** Nothing is sent unless all of it can be. What the brokers then refuse is told beside what they took. */
  private Future<Answer> batch(String topic, JsonReader json, Optional<IdempotencyKey> key) {
    List<JsonReader> objects = json.allow(Set.of(BATCH)).objects(BATCH);
    if (objects.isEmpty() || objects.size() > MOST_AT_ONCE) {
      throw Fault.INVALID.because("'messages' must have between 1 and " + MOST_AT_ONCE + " messages");
    }
    List<Message> messages = new ArrayList<>();
    long labels = 0;
    for (JsonReader object : objects) {
      Message message = numbered(topic, object, messages.size());
      labels += message.properties().size() + message.keys().size();
      if (labels > MOST_LABELS) {
        throw Fault.INVALID_MESSAGE.because(
            "all messages of a request together have at most " + MOST_LABELS + " keys and properties");
      }
      messages.add(message);
    }
    List<Future<JsonObject>> sends = new ArrayList<>();
    for (Message message : messages) {
      int index = sends.size();
      sends.add(sender.send(message, key.map(whole -> whole.of(index))).map(MessageJson::receipt));
    }
    return Future.join(sends).transform(done -> Future.succeededFuture(answer(sends)));
  }

  private Message numbered(String topic, JsonReader object, int index) {
    try {
      Message message = SendJson.message(topic, object);
      sender.check(message);
      return message;
    } catch (BridgeException fault) {
      throw new BridgeException(fault.fault(), fault.code(), "message " + index + ": " + fault.getMessage());
    }
  }

  private static Answer answer(List<Future<JsonObject>> sends) {
    JsonArray results = new JsonArray();
    Throwable first = null;
    for (Future<JsonObject> send : sends) {
      results.add(send.succeeded() ? send.result() : null);
      first = first == null ? send.cause() : first;
    }
    if (first == null) {
      return Answer.json(CREATED, results.toBuffer());
    }
    BridgeException problem = BridgeException.of(first).orElseGet(() -> Fault.INTERNAL.because("not all could be sent"));
    return Answer.problem(problem, new JsonObject().put("receipts", results));
  }
}
