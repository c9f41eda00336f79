package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/** The requests tests send most, in the form the official Java clients give them. */
public final class Requests {

  public static final int SEND = 310;
  public static final int SEND_BATCH = 320;
  public static final int PULL = 11;
  public static final int LITE_PULL = 361;
  public static final int ROUTE = 105;
  public static final int MAX_OFFSET = 30;
  public static final int QUERY = 12;
  public static final int COMMITTED_OFFSET = 14;

  private static final int SUSPEND = 2;
  private static final int SUBSCRIPTION = 4;

  private Requests() {
  }

  public static RawFrame send(String topic, int queueId, byte[] body, Map<String, String> properties) {
    return send(topic, queueId, body, propertiesText(properties));
  }

  public static RawFrame send(String topic, int queueId, String body) {
    return send(topic, queueId, body.getBytes(UTF_8), "");
  }

  public static RawFrame send(String topic, int queueId, byte[] body, String propertiesText) {
    return RawFrame.request(SEND).ext("a", "it-producer").ext("b", topic).ext("c", "TBW102").ext("d", 4).ext("e", queueId)
        .ext("f", 0).ext("g", System.currentTimeMillis()).ext("h", 0).ext("i", propertiesText).ext("j", 0).ext("k", false)
        .ext("m", false).body(body);
  }

  public static RawFrame batch(String topic, int queueId, byte[] body) {
    return send(topic, queueId, body, "").ext("m", true).withCode(SEND_BATCH);
  }

  /** The body of a batch of messages without properties. */
  public static byte[] batchBody(List<byte[]> bodies) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] body : bodies) {
      out.writeBytes(ByteBuffer.allocate(22 + body.length).putInt(22 + body.length).putInt(0).putInt(0).putInt(0)
          .putInt(body.length).put(body).putShort((short) 0).array());
    }
    return out.toByteArray();
  }

  /** A pull that brings its subscription along, so that it needs no heartbeat; it may be held for {@code holdMs}. */
  public static RawFrame pull(String topic, int queueId, long queueOffset, int maxMessages, long holdMs) {
    return RawFrame.request(PULL).ext("consumerGroup", "it-consumer").ext("topic", topic).ext("queueId", queueId)
        .ext("queueOffset", queueOffset).ext("maxMsgNums", maxMessages)
        .ext("sysFlag", SUBSCRIPTION | (holdMs > 0 ? SUSPEND : 0)).ext("commitOffset", 0).ext("suspendTimeoutMillis", holdMs)
        .ext("subscription", "*").ext("subVersion", 0).ext("expressionType", "TAG");
  }

  public static RawFrame route(String topic) {
    return RawFrame.request(ROUTE).ext("topic", topic);
  }

  public static RawFrame maxOffset(String topic, int queueId) {
    return RawFrame.request(MAX_OFFSET).ext("topic", topic).ext("queueId", queueId);
  }

  /** Asks for the offset of a group; 0 stands for none. */
  public static RawFrame committedOffset(String group, String topic, int queueId) {
    return RawFrame.request(COMMITTED_OFFSET).ext("consumerGroup", group).ext("topic", topic).ext("queueId", queueId)
        .ext("setZeroIfNotFound", true);
  }

  /** Looks messages up by one of their keys, at any time. */
  public static RawFrame byKey(String topic, String key) {
    return RawFrame.request(QUERY).ext("topic", topic).ext("key", key).ext("maxNum", 32).ext("beginTimestamp", 0)
        .ext("endTimestamp", Long.MAX_VALUE);
  }

  public static String propertiesText(Map<String, String> properties) {
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('\u0001').append(value).append('\u0002'));
    return text.toString();
  }
}
