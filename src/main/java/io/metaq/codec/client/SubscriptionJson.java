package io.metaq.codec.client;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.model.Subscription;
import java.io.IOException;

/** A subscription as clients write it, in heartbeats and when they have it checked. */
public final class SubscriptionJson {
  private SubscriptionJson() {}

  public static void write(JsonGenerator out, Subscription subscription) throws IOException {
    out.writeStartObject();
    out.writeBooleanField("classFilterMode", false);
    out.writeArrayFieldStart("codeSet");
    for (int code : subscription.codes()) {
      out.writeNumber(code);
    }
    out.writeEndArray();
    out.writeStringField("expressionType", subscription.type());
    out.writeStringField("subString", subscription.expression());
    out.writeNumberField("subVersion", subscription.version());
    out.writeArrayFieldStart("tagsSet");
    for (String tag : subscription.tags()) {
      out.writeString(tag);
    }
    out.writeEndArray();
    out.writeStringField("topic", subscription.topic());
    out.writeEndObject();
  }
}
