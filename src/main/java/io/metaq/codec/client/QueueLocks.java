package io.metaq.codec.client;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import io.metaq.codec.remoting.ClientBodies.QueueRef;
import io.metaq.codec.remoting.HeaderException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Bodies of LOCK_BATCH_MQ and UNLOCK_BATCH_MQ as a client writes and reads them. Source: the RocketMQ remoting protocol. */
public final class QueueLocks {
  private QueueLocks() {}

  /** The request: queues a member of a group wants to lock, or to give back. */
  public static byte[] encode(String clientId, String group, Collection<QueueRef> queues) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeStringField("clientId", clientId);
      out.writeStringField("consumerGroup", group);
      out.writeArrayFieldStart("mqSet");
      for (QueueRef queue : queues) {
        out.writeStartObject();
        out.writeStringField("brokerName", queue.brokerName());
        out.writeNumberField("queueId", queue.queueId());
        out.writeStringField("topic", queue.topic());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeBooleanField("onlyThisBroker", false);
      out.writeEndObject();
    });
  }

  /**
   * The answer of LOCK_BATCH_MQ: the queues the client has the lock of now.
   *
   * @throws HeaderException when it is no such list
   */
  public static Set<QueueRef> decode(byte[] json) {
    Set<QueueRef> held = new HashSet<>();
    try {
      RegistryJson.read("list of locked queues", json, in -> {
        RegistryJson.object(in, name -> {
          if (name.equals("lockOKMQSet")) {
            RegistryJson.array(in, () -> held.add(queue(RegistryJson.texts(in))));
          }
        });
        return null;
      });
    } catch (BodyException | NumberFormatException broken) {
      throw new HeaderException("the list of locked queues cannot be read: " + broken.getMessage(), broken);
    }
    return held;
  }

  private static QueueRef queue(Map<String, String> fields) {
    return new QueueRef(
        fields.getOrDefault("topic", ""), fields.getOrDefault("brokerName", ""), Integer.parseInt(fields.getOrDefault("queueId", "")));
  }
}
