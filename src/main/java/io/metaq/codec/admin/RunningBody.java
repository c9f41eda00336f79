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
 * The answer of GET_CONSUMER_RUNNING_INFO, taken apart: what a member of any make tells of itself.
 *
 * @param properties of the client, under RocketMQ's names
 * @param subscriptions filter expression by topic
 */
public record RunningBody(
    Map<String, String> properties, Map<String, String> subscriptions, List<Queue> queues, List<Topic> topics) {
  public RunningBody {
    properties = Map.copyOf(properties);
    subscriptions = Map.copyOf(subscriptions);
    queues = List.copyOf(queues);
    topics = List.copyOf(topics);
  }

  /**
   * One queue that it reads. Times are ms since 1970, 0 when unknown.
   *
   * @param progress the next offset to commit; -1 when the broker keeps it, as of a popped queue
   * @param cached messages it has and did not settle
   * @param pop whether it pops from the queue, which others may do, too
   */
  public record Queue(
      String topic, String broker, int queueId, long progress, int cached, long lastPullMs, long lastConsumeMs, boolean locked,
      boolean leaving, boolean pop) {}

  /**
   * What became of a topic's messages, a second, over the last minute.
   *
   * @param consumeMs mean time that one took
   */
  public record Topic(String topic, double pulledPerSecond, double consumedPerSecond, double failedPerSecond, double consumeMs) {}

  /** @throws BodyException when it is no such answer */
  public static RunningBody decode(byte[] json) {
    Map<String, String> properties = new LinkedHashMap<>();
    Map<String, String> subscriptions = new LinkedHashMap<>();
    List<Queue> queues = new ArrayList<>();
    List<Topic> topics = new ArrayList<>();
    RegistryJson.read("state of a member", ObjectKeys.asTexts(json), in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "properties" -> properties.putAll(RegistryJson.texts(in));
          case "subscriptionSet" -> RegistryJson.array(in, () -> subscription(in, subscriptions));
          case "mqTable" -> QueueTable.read(in, queue -> queues.add(pulled(in, queue)));
          case "mqPopTable" -> QueueTable.read(in, queue -> queues.add(popped(in, queue)));
          case "statusTable" -> RegistryJson.object(in, topic -> topics.add(topic(in, topic)));
          default -> { }
        }
      });
      return null;
    });
    return new RunningBody(properties, subscriptions, queues, topics);
  }

  private static void subscription(JsonParser in, Map<String, String> subscriptions) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    if (fields.containsKey("topic")) {
      subscriptions.put(fields.get("topic"), fields.getOrDefault("subString", "*"));
    }
  }

  private static Queue pulled(JsonParser in, QueueTable.Queue queue) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    return new Queue(queue.topic(), queue.brokerName(), queue.queueId(), number(fields, "commitOffset"),
        (int) number(fields, "cachedMsgCount"), number(fields, "lastPullTimestamp"), number(fields, "lastConsumeTimestamp"),
        Boolean.parseBoolean(fields.get("locked")), Boolean.parseBoolean(fields.get("droped")), false);
  }

  private static Queue popped(JsonParser in, QueueTable.Queue queue) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    return new Queue(queue.topic(), queue.brokerName(), queue.queueId(), -1, (int) number(fields, "waitAckCount"),
        number(fields, "lastPopTimestamp"), 0, false, Boolean.parseBoolean(fields.get("droped")), true);
  }

  private static Topic topic(JsonParser in, String topic) throws IOException {
    Map<String, String> fields = RegistryJson.texts(in);
    return new Topic(topic, decimal(fields, "pullTPS"), decimal(fields, "consumeOKTPS"), decimal(fields, "consumeFailedTPS"),
        decimal(fields, "consumeRT"));
  }

  private static long number(Map<String, String> fields, String name) {
    try {
      return Long.parseLong(fields.getOrDefault(name, "0"));
    } catch (NumberFormatException e) {
      throw new BodyException("'" + name + "' is not a whole number: '" + fields.get(name) + "'");
    }
  }

  private static double decimal(Map<String, String> fields, String name) {
    try {
      return Double.parseDouble(fields.getOrDefault(name, "0"));
    } catch (NumberFormatException e) {
      throw new BodyException("'" + name + "' is not a number: '" + fields.get(name) + "'");
    }
  }
}
