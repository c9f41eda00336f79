package io.metaq.codec.registry;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@link TopicRoute} as the answer of GET_ROUTEINFO_BY_TOPIC and the body of REGISTER_TOPIC_IN_NAMESRV ("TopicRouteData"). */
public final class TopicRouteCodec {
  private TopicRouteCodec() {}

  public static byte[] encode(TopicRoute route, IdKeys keys) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeArrayFieldStart("brokerDatas");
      for (BrokerData broker : route.brokers()) {
        BrokerDataCodec.write(out, broker, keys);
      }
      out.writeEndArray();
      out.writeObjectFieldStart("filterServerTable");
      out.writeEndObject();
      if (route.orderTopicConf().isPresent()) {
        out.writeStringField("orderTopicConf", route.orderTopicConf().get());
      }
      out.writeArrayFieldStart("queueDatas");
      for (QueueData queue : route.queues()) {
        write(out, queue);
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }

  /** @throws BodyException when it is not a route */
  public static TopicRoute decode(byte[] json) {
    List<BrokerData> brokers = new ArrayList<>();
    List<QueueData> queues = new ArrayList<>();
    List<String> order = new ArrayList<>(1);
    RegistryJson.read("route", json, in -> {
      RegistryJson.object(in, name -> {
        switch (name) {
          case "brokerDatas" -> RegistryJson.array(in, () -> brokers.add(BrokerDataCodec.read(in)));
          case "queueDatas" -> RegistryJson.array(in, () -> queues.add(readQueue(in)));
          case "orderTopicConf" -> order.add(RegistryJson.text(in));
          default -> { }
        }
      });
      return null;
    });
    return new TopicRoute(order.isEmpty() ? Optional.empty() : Optional.ofNullable(order.get(0)), queues, brokers);
  }

  private static void write(JsonGenerator out, QueueData queue) throws IOException {
    out.writeStartObject();
    out.writeStringField("brokerName", queue.brokerName());
    out.writeNumberField("perm", queue.perm());
    out.writeNumberField("readQueueNums", queue.readQueues());
    out.writeNumberField("topicSysFlag", queue.sysFlag());
    out.writeNumberField("writeQueueNums", queue.writeQueues());
    out.writeEndObject();
  }

  private static QueueData readQueue(JsonParser in) throws IOException {
    String[] broker = new String[1];
    int[] numbers = new int[4];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "brokerName" -> broker[0] = RegistryJson.text(in);
        case "readQueueNums" -> numbers[0] = RegistryJson.integer(in);
        case "writeQueueNums" -> numbers[1] = RegistryJson.integer(in);
        case "perm" -> numbers[2] = RegistryJson.integer(in);
        case "topicSysFlag", "topicSynFlag" -> numbers[3] = RegistryJson.integer(in);
        default -> { }
      }
    });
    if (broker[0] == null) {
      throw new BodyException("queues of the route have no broker name");
    }
    return new QueueData(broker[0], numbers[0], numbers[1], numbers[2], numbers[3]);
  }
}
