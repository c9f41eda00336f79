package io.metaq.codec.remoting;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.metaq.model.Subscription;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * JSON bodies of what clients ask for besides sending and pulling: heartbeat, queue locks, the check of a filter; and of the answers.
 * Reads the dialect of both client generations (unknown members, null members, unquoted numbers as keys). A body that makes no sense
 * is a {@link HeaderException}, which the peer gets as an answer.
 *
 * <p>Source: the RocketMQ remoting protocol.
 */
public final class ClientBodies {
  private static final JsonFactory JSON = new JsonFactoryBuilder()
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
      .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
      .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
      .build();

  private ClientBodies() {}

  /**
   * What a client says of itself in a heartbeat.
   *
   * @param fingerprint 0 unless the client uses heartbeat V2
   * @param withoutSubscriptions V2: the subscriptions are those it sent last
   */
  public record ClientData(
      String clientId, int fingerprint, boolean withoutSubscriptions, List<String> producerGroups, List<ConsumerData> consumers) {
    public ClientData {
      producerGroups = List.copyOf(producerGroups);
      consumers = List.copyOf(consumers);
    }
  }

  /** One consumer group of a client; the three words are those of the wire. */
  public record ConsumerData(
      String group, String consumeType, String messageModel, String consumeFromWhere, boolean unitMode, List<Subscription> subscriptions) {
    public ConsumerData {
      subscriptions = List.copyOf(subscriptions);
    }
  }

  /** A queue as clients name it. */
  public record QueueRef(String topic, String brokerName, int queueId) {}

  /** Queues a client wants to lock, or to give back. */
  public record LockData(String clientId, String group, List<QueueRef> queues) {
    public LockData {
      queues = List.copyOf(queues);
    }
  }

  /** A subscription a client wants checked before it starts; empty when it sent none. */
  public record ConfigData(String clientId, String group, Optional<Subscription> subscription) {}

  /** Reads the body of HEART_BEAT. */
  public static ClientData heartbeat(byte[] body) {
    return parse("heartbeat", body, ClientBodies::clientData);
  }

  /** Reads the body of LOCK_BATCH_MQ and UNLOCK_BATCH_MQ. */
  public static LockData locks(byte[] body) {
    return parse("lock request", body, ClientBodies::lockData);
  }

  /** Reads the body of CHECK_CLIENT_CONFIG; an empty one says nothing. */
  public static ConfigData clientConfig(byte[] body) {
    return body.length == 0 ? new ConfigData("", "", Optional.empty()) : parse("client configuration", body, ClientBodies::configData);
  }

  /** The body that answers GET_CONSUMER_LIST_BY_GROUP. */
  public static byte[] consumerIds(List<String> clientIds) {
    ByteSink out = new ByteSink(64 + clientIds.size() * 40);
    out.putAscii("{\"consumerIdList\":[");
    for (int i = 0; i < clientIds.size(); i++) {
      if (i > 0) {
        out.putByte(',');
      }
      out.putJsonString(clientIds.get(i));
    }
    out.putAscii("]}");
    return out.toByteArray();
  }

  /** The body that answers LOCK_BATCH_MQ: the queues the client holds now. */
  public static byte[] locked(List<QueueRef> queues) {
    ByteSink out = new ByteSink(64 + queues.size() * 80);
    out.putAscii("{\"lockOKMQSet\":[");
    for (int i = 0; i < queues.size(); i++) {
      QueueRef queue = queues.get(i);
      out.putAscii(i > 0 ? ",{\"brokerName\":" : "{\"brokerName\":");
      out.putJsonString(queue.brokerName());
      out.putAscii(",\"queueId\":");
      out.putDecimal(queue.queueId());
      out.putAscii(",\"topic\":");
      out.putJsonString(queue.topic());
      out.putByte('}');
    }
    out.putAscii("]}");
    return out.toByteArray();
  }

  private static ClientData clientData(JsonParser parser) throws IOException {
    String clientId = null;
    int fingerprint = 0;
    boolean withoutSub = false;
    List<String> producers = List.of();
    List<ConsumerData> consumers = List.of();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      switch (member(parser)) {
        case "clientID" -> clientId = text(parser);
        case "heartbeatFingerprint" -> fingerprint = integer(parser);
        case "withoutSub" -> withoutSub = bool(parser);
        case "producerDataSet" -> producers = objects(parser, ClientBodies::producerGroup);
        case "consumerDataSet" -> consumers = objects(parser, ClientBodies::consumerData);
        default -> parser.skipChildren();
      }
    }
    return new ClientData(required("clientID", clientId), fingerprint, withoutSub, producers, consumers);
  }

  private static String producerGroup(JsonParser parser) throws IOException {
    String group = null;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      if (member(parser).equals("groupName")) {
        group = text(parser);
      } else {
        parser.skipChildren();
      }
    }
    return required("groupName", group);
  }

  private static ConsumerData consumerData(JsonParser parser) throws IOException {
    String group = null;
    String consumeType = "CONSUME_PASSIVELY";
    String messageModel = "CLUSTERING";
    String fromWhere = "CONSUME_FROM_LAST_OFFSET";
    boolean unitMode = false;
    List<Subscription> subscriptions = List.of();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      switch (member(parser)) {
        case "groupName" -> group = text(parser);
        case "consumeType" -> consumeType = text(parser);
        case "messageModel" -> messageModel = text(parser);
        case "consumeFromWhere" -> fromWhere = text(parser);
        case "unitMode" -> unitMode = bool(parser);
        case "subscriptionDataSet" -> subscriptions = objects(parser, ClientBodies::subscription);
        default -> parser.skipChildren();
      }
    }
    return new ConsumerData(required("groupName", group), consumeType, messageModel, fromWhere, unitMode, subscriptions);
  }

  private static Subscription subscription(JsonParser parser) throws IOException {
    String topic = null;
    String expression = Subscription.ALL;
    String type = Subscription.TAG;
    Set<String> tags = Set.of();
    Set<Integer> codes = Set.of();
    long version = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      switch (member(parser)) {
        case "topic" -> topic = text(parser);
        case "subString" -> expression = text(parser);
        case "expressionType" -> type = text(parser);
        case "tagsSet" -> tags = new HashSet<>(array(parser, ClientBodies::text));
        case "codeSet" -> codes = new HashSet<>(array(parser, ClientBodies::integer));
        case "subVersion" -> version = whole(parser);
        default -> parser.skipChildren();
      }
    }
    return new Subscription(required("topic", topic), expression, type, tags, codes, version);
  }

  private static LockData lockData(JsonParser parser) throws IOException {
    String clientId = null;
    String group = null;
    List<QueueRef> queues = List.of();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      switch (member(parser)) {
        case "clientId" -> clientId = text(parser);
        case "consumerGroup" -> group = text(parser);
        case "mqSet" -> queues = objects(parser, ClientBodies::queue);
        default -> parser.skipChildren();
      }
    }
    return new LockData(required("clientId", clientId), required("consumerGroup", group), queues);
  }

  private static QueueRef queue(JsonParser parser) throws IOException {
    String topic = null;
    String brokerName = null;
    int queueId = 0;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      switch (member(parser)) {
        case "topic" -> topic = text(parser);
        case "brokerName" -> brokerName = text(parser);
        case "queueId" -> queueId = integer(parser);
        default -> parser.skipChildren();
      }
    }
    return new QueueRef(required("topic", topic), required("brokerName", brokerName), queueId);
  }

  private static ConfigData configData(JsonParser parser) throws IOException {
    String clientId = "";
    String group = "";
    Optional<Subscription> subscription = Optional.empty();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      switch (member(parser)) {
        case "clientId" -> clientId = text(parser);
        case "group" -> group = text(parser);
        case "subscriptionData" -> subscription = Optional.of(object(parser, ClientBodies::subscription));
        default -> parser.skipChildren();
      }
    }
    return new ConfigData(clientId, group, subscription);
  }

  // Reading, one value at a time

  /** Reads what follows the value's first token; leaves the parser on its last one. */
  private interface Reader<T> {
    T read(JsonParser parser) throws IOException;
  }

  private static <T> T parse(String what, byte[] body, Reader<T> reader) {
    try (JsonParser parser = JSON.createParser(body)) {
      parser.nextToken();
      return object(parser, reader);
    } catch (IOException e) {
      throw new HeaderException("the body of the " + what + " is not valid JSON", e);
    }
  }

  /** Steps to the value of a member; one that is null counts as unknown. */
  private static String member(JsonParser parser) throws IOException {
    String name = parser.currentName();
    return parser.nextToken() == JsonToken.VALUE_NULL ? "" : name;
  }

  private static <T> T object(JsonParser parser, Reader<T> reader) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw new HeaderException("the body has no object where one belongs");
    }
    return reader.read(parser);
  }

  /** The elements of an array; null ones are left out. */
  private static <T> List<T> array(JsonParser parser, Reader<T> reader) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new HeaderException("the body has no list where one belongs");
    }
    List<T> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.VALUE_NULL) {
        elements.add(reader.read(parser));
      }
    }
    return elements;
  }

  private static <T> List<T> objects(JsonParser parser, Reader<T> reader) throws IOException {
    return array(parser, element -> object(element, reader));
  }

  private static String text(JsonParser parser) throws IOException {
    if (!parser.currentToken().isScalarValue()) {
      throw new HeaderException("the body has an object or a list where a text belongs");
    }
    return parser.getText();
  }

  private static boolean bool(JsonParser parser) throws IOException {
    return Boolean.parseBoolean(text(parser));
  }

  private static int integer(JsonParser parser) throws IOException {
    long value = whole(parser);
    if ((int) value != value) {
      throw new HeaderException("the body holds a number beyond its range: " + value);
    }
    return (int) value;
  }

  private static long whole(JsonParser parser) throws IOException {
    String value = text(parser);
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new HeaderException("the body holds '" + value + "' where a whole number belongs", e);
    }
  }

  private static String required(String name, String value) {
    if (value == null) {
      throw new HeaderException("the body lacks '" + name + "'");
    }
    return value;
  }
}
