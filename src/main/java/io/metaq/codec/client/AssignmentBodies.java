package io.metaq.codec.client;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.util.List;

/** Bodies of QUERY_ASSIGNMENT and SET_MESSAGE_REQUEST_MODE. */
public final class AssignmentBodies {
  private AssignmentBodies() {}

  /** Which queues of a topic a member of a group is to have. */
  public record Query(String clientId, String group, String topic, boolean broadcasting, String strategy) {}

  /** One queue of a broker; a negative id stands for any. */
  public record Queue(String brokerName, int queueId) implements Comparable<Queue> {
    @Override
    public int compareTo(Queue other) {
      int byBroker = brokerName.compareTo(other.brokerName);
      return byBroker != 0 ? byBroker : Integer.compare(queueId, other.queueId);
    }
  }

  /** How a group is to get messages of a topic from now on. */
  public record Mode(String topic, String group, boolean pop, int share) {}

  /** @throws BodyException when a name is missing or it is no JSON */
  public static Query query(byte[] json) {
    String[] texts = new String[5];
    RegistryJson.read("question for queues", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "clientId" -> texts[0] = RegistryJson.text(in);
          case "consumerGroup" -> texts[1] = RegistryJson.text(in);
          case "topic" -> texts[2] = RegistryJson.text(in);
          case "messageModel" -> texts[3] = RegistryJson.text(in);
          case "strategyName" -> texts[4] = RegistryJson.text(in);
          default -> { }
        }
      });
      return null;
    });
    String model = required("messageModel", texts[3]);
    if (!model.equals("CLUSTERING") && !model.equals("BROADCASTING")) {
      throw new BodyException("the question for queues has the message model '" + model
          + "'; there are CLUSTERING and BROADCASTING");
    }
    return new Query(required("clientId", texts[0]), required("consumerGroup", texts[1]), required("topic", texts[2]),
        model.equals("BROADCASTING"), texts[4] == null ? "" : texts[4]);
  }

  /** @throws BodyException when a name is missing, the mode is none, or it is no JSON */
  public static Mode mode(byte[] json) {
    String[] texts = new String[3];
    int[] share = new int[1];
    RegistryJson.read("request mode", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "topic" -> texts[0] = RegistryJson.text(in);
          case "consumerGroup" -> texts[1] = RegistryJson.text(in);
          case "mode" -> texts[2] = RegistryJson.text(in);
          case "popShareQueueNum" -> share[0] = RegistryJson.integer(in);
          default -> { }
        }
      });
      return null;
    });
    String mode = required("mode", texts[2]);
    if (!mode.equals("POP") && !mode.equals("PULL")) {
      throw new BodyException("the request mode '" + mode + "' is unknown; there are POP and PULL");
    }
    return new Mode(required("topic", texts[0]), required("consumerGroup", texts[1]), mode.equals("POP"), share[0]);
  }

  /** The answer to a query. */
  public static byte[] assignments(String topic, String mode, List<Queue> queues) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeArrayFieldStart("messageQueueAssignments");
      for (Queue queue : queues) {
        out.writeStartObject();
        out.writeObjectFieldStart("messageQueue");
        out.writeStringField("brokerName", queue.brokerName());
        out.writeNumberField("queueId", queue.queueId());
        out.writeStringField("topic", topic);
        out.writeEndObject();
        out.writeStringField("mode", mode);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /** The answer when the client is to keep what it has. */
  public static byte[] unknown() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeEndObject();
    });
  }

  private static String required(String name, String value) {
    if (value == null || value.isEmpty()) {
      throw new BodyException("the body lacks '" + name + "'");
    }
    return value;
  }
}
