package io.metaq.messaging;

import io.smallrye.reactive.messaging.MessageConverter;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.enterprise.context.ApplicationScoped;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import org.eclipse.microprofile.reactive.messaging.Message;

/**
 * Gives a method the payload type it has: beside {@code byte[]}, which needs no conversion, {@code String}, {@code Buffer},
 * {@code JsonObject}, {@code JsonArray} and {@code io.metaq.client.Message}. A body that is no JSON fails, and the message with it.
 */
@ApplicationScoped
public class MetaqMessageConverter implements MessageConverter {
  private static final Map<Type, Function<IncomingMetaqMetadata, Object>> CONVERSIONS = Map.of(
      String.class, MetaqMessageConverter::text,
      Buffer.class, metadata -> Buffer.buffer(metadata.message().body()),
      JsonObject.class, metadata -> new JsonObject(text(metadata)),
      JsonArray.class, metadata -> new JsonArray(text(metadata)),
      io.metaq.client.Message.class, IncomingMetaqMetadata::message);

  @Override
  public boolean canConvert(Message<?> message, Type target) {
    return CONVERSIONS.containsKey(target)
        && message.getPayload() instanceof byte[]
        && message.getMetadata(IncomingMetaqMetadata.class).isPresent();
  }

  @Override
  public Message<?> convert(Message<?> message, Type target) {
    return message.withPayload(CONVERSIONS.get(target).apply(message.getMetadata(IncomingMetaqMetadata.class).orElseThrow()));
  }

  private static String text(IncomingMetaqMetadata metadata) {
    return new String(metadata.message().body(), StandardCharsets.UTF_8);
  }
}
