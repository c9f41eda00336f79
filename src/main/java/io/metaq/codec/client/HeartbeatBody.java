package io.metaq.codec.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.model.Subscription;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;

/**
 * The body of HEART_BEAT as a client writes it. Source: the RocketMQ remoting protocol.
 *
 * @param producerGroups groups the client sends in
 * @param consumers groups the client is a member of, as a push consumer
 */
public record HeartbeatBody(String clientId, Collection<String> producerGroups, List<Consumer> consumers) {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One group.
   *
   * @param broadcasting whether each member reads everything
   * @param fromLast whether members without progress begin at the end (only shown to people by brokers)
   */
  public record Consumer(String group, boolean broadcasting, boolean fromLast, List<Subscription> subscriptions) {}

  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeStringField("clientID", clientId);
      out.writeArrayFieldStart("consumerDataSet");
      for (Consumer consumer : consumers) {
        write(out, consumer);
      }
      out.writeEndArray();
      out.writeNumberField("heartbeatFingerprint", 0);
      out.writeArrayFieldStart("producerDataSet");
      for (String group : producerGroups) {
        out.writeStartObject();
        out.writeStringField("groupName", group);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeBooleanField("withoutSub", false);
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }

  private static void write(JsonGenerator out, Consumer consumer) throws IOException {
    out.writeStartObject();
    out.writeStringField("consumeFromWhere", consumer.fromLast() ? "CONSUME_FROM_LAST_OFFSET" : "CONSUME_FROM_FIRST_OFFSET");
    out.writeStringField("consumeType", "CONSUME_PASSIVELY");
    out.writeStringField("groupName", consumer.group());
    out.writeStringField("messageModel", consumer.broadcasting() ? "BROADCASTING" : "CLUSTERING");
    out.writeArrayFieldStart("subscriptionDataSet");
    for (Subscription subscription : consumer.subscriptions()) {
      SubscriptionJson.write(out, subscription);
    }
    out.writeEndArray();
    out.writeBooleanField("unitMode", false);
    out.writeEndObject();
  }
}
