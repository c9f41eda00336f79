package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.codec.client.SubscriptionJson;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.model.Subscription;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a member of a group tells of itself, the answer of GET_CONSUMER_RUNNING_INFO. Source: the RocketMQ remoting protocol.
 *
 * @param properties of the client, under RocketMQ's names
 * @param jstack its threads as text, empty when they were not asked for
 */
public record ConsumerRunning(
    Map<String, String> properties, List<Subscription> subscriptions, List<QueueState> queues, List<TopicState> topics, String jstack) {
  public ConsumerRunning {
    properties = Map.copyOf(properties);
    subscriptions = List.copyOf(subscriptions);
    queues = List.copyOf(queues);
    topics = List.copyOf(topics);
  }

  /**
   * One queue the member has.
   *
   * @param progress the oldest message that is not settled
   * @param cached messages read and not settled
   * @param lastCached offset of the newest of them
   * @param leaving whether it belongs to another member by now
   * @param lockedMs when its lock was renewed last, ms since 1970; 0 without a lock
   */
  public record QueueState(QueueRef queue, long progress, int cached, long lastCached, boolean leaving, long lockedMs) {}

  /** What became of a topic's messages: their number a second over the last minute, and how many failed within an hour. */
  public record TopicState(String topic, double pulledPerSecond, double consumedPerSecond, double failedPerSecond, long failed) {}

  public byte[] encode() {
    QueueTable<QueueState> table = new QueueTable<>();
    queues.forEach(state -> table.put(state.queue.brokerName(), state.queue.topic(), state.queue.queueId(), state));
    return RegistryJson.write(out -> {
      out.writeStartObject();
      if (!jstack.isEmpty()) {
        out.writeStringField("jstack", jstack);
      }
      out.writeObjectFieldStart("mqPopTable");
      out.writeEndObject();
      table.write(out, "mqTable", ConsumerRunning::write);
      out.writeFieldName("properties");
      RegistryJson.write(out, properties);
      out.writeObjectFieldStart("statusTable");
      for (TopicState topic : topics) {
        out.writeFieldName(topic.topic);
        write(out, topic);
      }
      out.writeEndObject();
      out.writeArrayFieldStart("subscriptionSet");
      for (Subscription subscription : subscriptions) {
        SubscriptionJson.write(out, subscription);
      }
      out.writeEndArray();
      out.writeObjectFieldStart("userConsumerInfo");
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /**
   * The queues a member says it has.
   *
   * @throws BodyException when it is no such answer
   */
  public static Set<QueueRef> decodeQueues(byte[] json) {
    Set<QueueRef> queues = new HashSet<>();
    RegistryJson.read("state of a member", ObjectKeys.asTexts(json), in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("mqTable")) {
          QueueTable.read(in, queue -> {
            in.skipChildren();
            queues.add(new QueueRef(queue.topic(), queue.brokerName(), queue.queueId()));
          });
        }
      });
      return null;
    });
    return queues;
  }

  private static void write(JsonGenerator out, QueueState state) throws IOException {
    out.writeStartObject();
    out.writeNumberField("cachedMsgCount", state.cached);
    out.writeNumberField("cachedMsgMaxOffset", state.lastCached);
    out.writeNumberField("cachedMsgMinOffset", state.cached > 0 ? state.progress : 0);
    out.writeNumberField("cachedMsgSizeInMiB", 0);
    out.writeNumberField("commitOffset", state.progress);
    out.writeBooleanField("droped", state.leaving);
    out.writeNumberField("lastConsumeTimestamp", 0);
    out.writeNumberField("lastLockTimestamp", state.lockedMs);
    out.writeNumberField("lastPullTimestamp", 0);
    out.writeBooleanField("locked", state.lockedMs > 0);
    out.writeNumberField("transactionMsgCount", 0);
    out.writeNumberField("transactionMsgMaxOffset", 0);
    out.writeNumberField("transactionMsgMinOffset", 0);
    out.writeNumberField("tryUnlockTimes", 0);
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, TopicState topic) throws IOException {
    out.writeStartObject();
    out.writeNumberField("consumeFailedMsgs", topic.failed);
    out.writeNumberField("consumeFailedTPS", topic.failedPerSecond);
    out.writeNumberField("consumeOKTPS", topic.consumedPerSecond);
    out.writeNumberField("consumeRT", 0.0);
    out.writeNumberField("pullRT", 0.0);
    out.writeNumberField("pullTPS", topic.pulledPerSecond);
    out.writeEndObject();
  }
}
