package io.metaq.codec.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.model.Subscription;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The body of CHECK_CLIENT_CONFIG as a client writes it: a subscription to be checked before it is used. */
public record ClientConfigBody(String clientId, String group, Subscription subscription) {
  private static final JsonFactory JSON = new JsonFactory();

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeStringField("clientId", clientId);
      out.writeStringField("group", group);
      out.writeFieldName("subscriptionData");
      SubscriptionJson.write(out, subscription);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }
}
