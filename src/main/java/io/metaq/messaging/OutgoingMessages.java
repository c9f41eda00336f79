package io.metaq.messaging;

import io.metaq.client.Message;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Makes what is sent out of what a channel was given. */
final class OutgoingMessages {
  private final OutgoingSettings settings;

  OutgoingMessages(OutgoingSettings settings) {
    this.settings = settings;
  }

  /**
   * A payload that is a message of the client goes as it is, with what its metadata adds; of anything else the body is made.
   *
   * @throws RuntimeException when a payload or its metadata cannot be sent
   */
  Message of(org.eclipse.microprofile.reactive.messaging.Message<?> given) {
    OutgoingMetaqMetadata metadata = given.getMetadata(OutgoingMetaqMetadata.class).orElseGet(OutgoingMetaqMetadata::none);
    if (given.getPayload() instanceof Message whole) {
      return metadata.addTo(whole);
    }
    Message empty = Message.to(metadata.topic().orElse(settings.topic()));
    return metadata.addTo(withBody(settings.tagged(empty), given.getPayload()));
  }

  private Message withBody(Message message, Object payload) {
    if (payload instanceof byte[] bytes) {
      return message.body(bytes);
    }
    if (payload instanceof Buffer buffer) {
      return message.body(buffer.getBytes());
    }
    if (payload instanceof JsonObject object) {
      return message.body(object.encode());
    }
    if (payload instanceof JsonArray array) {
      return message.body(array.encode());
    }
    if (payload instanceof CharSequence || payload instanceof Number || payload instanceof Boolean || payload instanceof Character) {
      return message.body(payload.toString());
    }
    throw new IllegalArgumentException("channel '" + settings.channel() + "' cannot send a payload of " + typeOf(payload)
        + "; make a byte[], String, Buffer, JsonObject, JsonArray or io.metaq.client.Message of it");
  }

  private static String typeOf(Object payload) {
    return payload == null ? "no type" : payload.getClass().getName();
  }
}
