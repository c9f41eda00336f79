package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.codec.client.SubscriptionJson;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.model.Subscription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Answers about connected clients: GET_CONSUMER_CONNECTION_LIST, GET_PRODUCER_CONNECTION_LIST, GET_ALL_PRODUCER_INFO. */
public final class ConnectionsBody {
  private ConnectionsBody() {}

  /** A connected client. */
  public record Client(String clientId, String remote, String language, int version, long seenAtMs) {}

  /** MetaQ's own: see {@link #consumers}. */
  static final String CONTRADICTIONS = "metaqContradictions";

  /**
   * Consumers of a group with the words of its last heartbeat.
   *
   * @param contradictions who wants what, when they do not all want the same; tools of RocketMQ do not look at it
   */
  public static byte[] consumers(
      List<Client> clients, String consumeType, String messageModel, String consumeFromWhere, Map<String, Subscription> subscriptions,
      List<String> contradictions) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      connectionSet(out, clients);
      out.writeStringField("consumeFromWhere", consumeFromWhere);
      out.writeStringField("consumeType", consumeType);
      out.writeStringField("messageModel", messageModel);
      if (!contradictions.isEmpty()) {
        out.writeArrayFieldStart(CONTRADICTIONS);
        for (String line : contradictions) {
          out.writeString(line);
        }
        out.writeEndArray();
      }
      out.writeObjectFieldStart("subscriptionTable");
      for (Map.Entry<String, Subscription> entry : subscriptions.entrySet()) {
        out.writeFieldName(entry.getKey());
        SubscriptionJson.write(out, entry.getValue());
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /** Producers of one group. */
  public static byte[] producers(List<Client> clients) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      connectionSet(out, clients);
      out.writeEndObject();
    });
  }

  /** All producers, by group. */
  public static byte[] allProducers(Map<String, List<Client>> groups) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("data");
      for (Map.Entry<String, List<Client>> group : groups.entrySet()) {
        out.writeArrayFieldStart(group.getKey());
        for (Client client : group.getValue()) {
          out.writeStartObject();
          out.writeStringField("clientId", client.clientId);
          out.writeStringField("language", client.language);
          out.writeNumberField("lastUpdateTimestamp", client.seenAtMs);
          out.writeStringField("remoteIP", client.remote);
          out.writeNumberField("version", client.version);
          out.writeEndObject();
        }
        out.writeEndArray();
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /**
   * Reads the answer of GET_ALL_PRODUCER_INFO.
   *
   * @throws BodyException when it is none
   */
  public static Map<String, List<Client>> decodeProducers(byte[] json) {
    Map<String, List<Client>> groups = new TreeMap<>();
    RegistryJson.read("list of producers", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("data")) {
          RegistryJson.object(in, group -> {
            List<Client> clients = groups.computeIfAbsent(group, fresh -> new ArrayList<>());
            RegistryJson.array(in, () -> clients.add(client(RegistryJson.texts(in))));
          });
        }
      });
      return null;
    });
    return groups;
  }

  private static Client client(Map<String, String> fields) {
    try {
      // As Java prints an address without a name: Apache RocketMQ writes it so.
      String remote = fields.getOrDefault("remoteIP", "").replaceFirst("^/", "");
      return new Client(fields.getOrDefault("clientId", ""), remote, fields.getOrDefault("language", ""),
          Integer.parseInt(fields.getOrDefault("version", "0")), Long.parseLong(fields.getOrDefault("lastUpdateTimestamp", "0")));
    } catch (NumberFormatException e) {
      throw new BodyException("a number of a producer is none: " + fields);
    }
  }

  private static void connectionSet(JsonGenerator out, List<Client> clients) throws IOException {
    out.writeArrayFieldStart("connectionSet");
    for (Client client : clients) {
      out.writeStartObject();
      out.writeStringField("clientAddr", client.remote);
      out.writeStringField("clientId", client.clientId);
      out.writeStringField("language", client.language);
      out.writeNumberField("version", client.version);
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
