package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonParser;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer of GET_CONSUMER_CONNECTION_LIST, taken apart.
 *
 * @param messageModel {@code CLUSTERING} or {@code BROADCASTING}
 * @param subscriptions filter expression by topic
 * @param contradictions what members of the group want differently, a sentence each; only MetaQ tells
 */
public record ConsumersBody(
    List<ConnectionsBody.Client> clients, String consumeType, String messageModel, Map<String, String> subscriptions,
    List<String> contradictions) {
  public ConsumersBody {
    clients = List.copyOf(clients);
    subscriptions = Map.copyOf(subscriptions);
    contradictions = List.copyOf(contradictions);
  }

  /** @throws BodyException when it is no such answer */
  public static ConsumersBody decode(byte[] json) {
    List<ConnectionsBody.Client> clients = new ArrayList<>();
    Map<String, String> subscriptions = new LinkedHashMap<>();
    List<String> contradictions = new ArrayList<>();
    String[] words = {"", ""};
    RegistryJson.read("members of a group", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "connectionSet" -> RegistryJson.array(in, () -> clients.add(client(in)));
          case "subscriptionTable" -> RegistryJson.object(in, topic ->
              subscriptions.put(topic, RegistryJson.texts(in).getOrDefault("subString", "*")));
          case ConnectionsBody.CONTRADICTIONS -> contradictions.addAll(RegistryJson.textList(in));
          case "consumeType" -> words[0] = textOrNothing(in);
          case "messageModel" -> words[1] = textOrNothing(in);
          default -> { }
        }
      });
      return null;
    });
    return new ConsumersBody(clients, words[0], words[1], subscriptions, contradictions);
  }

  private static ConnectionsBody.Client client(JsonParser in) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    try {
      return new ConnectionsBody.Client(
          fields.getOrDefault("clientId", ""), fields.getOrDefault("clientAddr", ""), fields.getOrDefault("language", ""),
          Integer.parseInt(fields.getOrDefault("version", "0")), 0);
    } catch (NumberFormatException e) {
      throw new BodyException("the version of a client is no number: '" + fields.get("version") + "'");
    }
  }

  private static String textOrNothing(JsonParser in) throws IOException {
    String text = RegistryJson.text(in);
    return text == null ? "" : text;
  }
}
