package io.metaq.bridge;

import io.metaq.client.SendReceipt;
import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Frames the server sends. */
final class Frames {
  private Frames() {}

  /** Answers a request; without a {@code ref} it says so all the same. */
  static JsonObject answer(String op, Optional<String> ref) {
    JsonObject frame = new JsonObject().put("op", op);
    ref.ifPresent(text -> frame.put("ref", text));
    return frame;
  }

  static JsonObject published(Optional<String> ref, SendReceipt receipt) {
    return answer("published", ref).mergeIn(MessageJson.receipt(receipt));
  }

  /** @param sub the subscription's name as JSON */
  static String message(String sub, Item item) {
    String message = item.message().json();
    return "{\"op\":\"message\",\"sub\":" + sub + ",\"handle\":\"" + item.handle() + "\",\"position\":\"" + item.position() + "\","
        + message.substring(1);
  }

  static JsonObject error(Optional<String> ref, Optional<String> sub, BridgeException problem) {
    JsonObject frame = answer("error", ref);
    sub.ifPresent(text -> frame.put("sub", text));
    return frame.put("code", problem.fault().name()).put("message", problem.getMessage());
  }
}
