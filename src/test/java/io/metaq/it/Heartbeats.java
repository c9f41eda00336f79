package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Heartbeats of clients in the form the official Java clients give them. */
public final class Heartbeats {

  private static final int HEART_BEAT = 34;

  private Heartbeats() {
  }

  /** A producer of a group of its own. */
  public static RawFrame producer(String clientId) {
    return RawFrame.request(HEART_BEAT).body(("{\"clientID\":" + Json.quote(clientId) + ",\"heartbeatFingerprint\":0,\"withoutSub\":false,"
        + "\"producerDataSet\":[{\"groupName\":\"producers-of-" + clientId + "\"}],\"consumerDataSet\":[]}").getBytes(UTF_8));
  }

  /** A clustering push consumer; {@code subscriptions} from {@link #tags} or {@link #sql}. */
  public static RawFrame consumer(String clientId, String group, String... subscriptions) {
    return ofModel("CLUSTERING", clientId, group, subscriptions);
  }

  public static RawFrame ofModel(String model, String clientId, String group, String... subscriptions) {
    return RawFrame.request(HEART_BEAT).body(("{\"clientID\":" + Json.quote(clientId) + ",\"heartbeatFingerprint\":0,\"withoutSub\":false,"
        + "\"producerDataSet\":[],\"consumerDataSet\":[{\"groupName\":" + Json.quote(group)
        + ",\"consumeType\":\"CONSUME_PASSIVELY\",\"messageModel\":" + Json.quote(model)
        + ",\"consumeFromWhere\":\"CONSUME_FROM_FIRST_OFFSET\",\"unitMode\":false,\"subscriptionDataSet\":["
        + String.join(",", subscriptions) + "]}]}").getBytes(UTF_8));
  }

  /** A subscription by tags, all of them without any. */
  public static String tags(String topic, String... tags) {
    return "{\"topic\":" + Json.quote(topic) + ",\"subString\":" + Json.quote(tags.length == 0 ? "*" : String.join(" || ", tags))
        + ",\"expressionType\":\"TAG\",\"subVersion\":1,\"tagsSet\":["
        + Arrays.stream(tags).map(Json::quote).collect(Collectors.joining(",")) + "],\"codeSet\":["
        + Arrays.stream(tags).map(tag -> Integer.toString(tag.hashCode())).collect(Collectors.joining(",")) + "]}";
  }

  public static String sql(String topic, String expression) {
    return "{\"topic\":" + Json.quote(topic) + ",\"subString\":" + Json.quote(expression)
        + ",\"expressionType\":\"SQL92\",\"subVersion\":1,\"tagsSet\":[],\"codeSet\":[]}";
  }
}
