package io.metaq.bridge;

import io.metaq.client.Message;
import io.metaq.client.MetaqException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Set;

/** The send object: what somebody wants to be sent, as JSON. */
final class SendJson {
  static final Set<String> FIELDS =
      Set.of("body", "bodyBase64", JsonText.RAW, "tag", "keys", "properties", "orderKey", "delayMs", "deliverAt");

  private SendJson() {}

  /** @throws BridgeException a sentence that names the field at fault */
  static Message message(String topic, JsonReader json) {
    return message(topic, json, Set.of());
  }

  /** @param around fields that belong to what stands around the send object */
  static Message message(String topic, JsonReader json, Set<String> around) {
    Set<String> known = new HashSet<>(FIELDS);
    known.addAll(around);
    json.allow(known);
    try {
      Message message = Message.to(topic).body(body(json));
      message = json.text("tag").isPresent() ? message.tag(json.requiredText("tag")) : message;
      message = new Labels(json.textList("keys"), json.texts("properties")).on(message);
      message = json.text("orderKey").isPresent() ? message.orderKey(json.requiredText("orderKey")) : message;
      return Labels.checked(timed(message, json));
    } catch (MetaqException refused) {
      throw Fault.INVALID_MESSAGE.because(refused.getMessage());
    }
  }

  private static byte[] body(JsonReader json) {
    int given = (json.has("body") ? 1 : 0) + (json.has("bodyBase64") ? 1 : 0) + (json.mentions(JsonText.RAW) ? 1 : 0);
    if (given != 1) {
      throw Fault.INVALID_MESSAGE.because("exactly one of 'body', 'bodyBase64' and 'json' must be there");
    }
    if (json.mentions(JsonText.RAW)) {
      return json.raw().getBytes(StandardCharsets.UTF_8);
    }
    return json.text("body").map(text -> text.getBytes(StandardCharsets.UTF_8)).orElseGet(() -> decoded(json.requiredText("bodyBase64")));
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException none) {
      throw Fault.INVALID_MESSAGE.because("'bodyBase64' is no Base64");
    }
  }

  private static Message timed(Message message, JsonReader json) {
    if (json.has("delayMs") && json.has("deliverAt")) {
      throw Fault.INVALID_MESSAGE.because("'delayMs' and 'deliverAt' exclude each other");
    }
    if (json.has("delayMs")) {
      return delayed(message, json.number("delayMs").orElseThrow());
    }
    return json.has("deliverAt") ? message.deliverAt(moment(json)) : message;
  }

  static Message delayed(Message message, long delayMs) {
    if (delayMs < 0) {
      throw Fault.INVALID_MESSAGE.because("a delay must not be negative");
    }
    return delayMs == 0 ? message : message.deliverAfter(Duration.ofMillis(delayMs));
  }

  private static Instant moment(JsonReader json) {
    return Durations.moment(json.requiredText("deliverAt")).orElseThrow(
        () -> Fault.INVALID_MESSAGE.because("'deliverAt' must be a time with its zone like 2026-01-31T12:00:00Z"));
  }
}
