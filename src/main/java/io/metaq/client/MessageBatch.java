package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.SendAnswer;
import io.metaq.codec.remoting.SendRequest;
import io.metaq.model.PropertyNames;
import io.metaq.model.RequestCode;
import io.metaq.model.Topics;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Messages of one topic that go to one queue in one request, where they get offsets in a row. All of them are stored, or none.
 *
 * <pre>
 *   0        4        8        12       16            20
 *   +--------+--------+--------+--------+-------------+------+------------------+------------+
 *   | size   | 0      | 0      | flag   | bodyLength  | body | propertiesLength | properties |    of each message
 *   +--------+--------+--------+--------+-------------+------+------------------+------------+
 *     i32      i32      i32      i32      i32                  i16
 * </pre>
 *
 * size counts the whole of a message. Source: the RocketMQ remoting protocol, SEND_BATCH_MESSAGE.
 */
final class MessageBatch implements Parcel<List<SendReceipt>> {
  private static final int FIXED_BYTES = 5 * Integer.BYTES + Short.BYTES;
  private static final String ID_SEPARATOR = ",";

  private final List<IdentifiedMessage> messages;
  private final String group;
  private final Message first;
  private final byte[] common;
  private final byte[] body;

  /**
   * @param messages at least one; equal in topic, target and whether they wait until they are stored
   */
  MessageBatch(List<IdentifiedMessage> messages, String group) {
    this.messages = List.copyOf(messages);
    this.group = group;
    this.first = messages.get(0).message();
    this.common = common(messages.get(0));
    this.body = encode(messages);
  }

  @Override
  public String topic() {
    return first.topic();
  }

  @Override
  public Target target() {
    return Target.of(first);
  }

  @Override
  public int messages() {
    return messages.size();
  }

  @Override
  public int bytes() {
    return body.length;
  }

  /** Messages within a batch cannot say that they are compressed. */
  @Override
  public boolean unpacked() {
    return false;
  }

  @Override
  public void pack() {}

  @Override
  public SendRequest request(TopicQueue queue, long nowMs) {
    return new SendRequest(
        RequestCode.SEND_BATCH_MESSAGE,
        group,
        topic(),
        Topics.TEMPLATE,
        Route.NEW_TOPIC_QUEUES,
        queue.queueId(),
        0,
        nowMs,
        0,
        common,
        true,
        queue.broker(),
        false,
        body);
  }

  @Override
  public Optional<List<SendReceipt>> receipt(SendAnswer answer, TopicQueue queue) {
    return Receipts.of(answer, "", queue).map(this::each);
  }

  private List<SendReceipt> each(SendReceipt whole) {
    String[] ids = whole.offsetMessageId().split(ID_SEPARATOR);
    List<SendReceipt> receipts = new ArrayList<>(messages.size());
    for (int i = 0; i < messages.size(); i++) {
      receipts.add(
          new SendReceipt(
              messages.get(i).messageId(),
              // Where a topic keeps a batch as one record, that record's id is the only one.
              ids.length == messages.size() ? ids[i] : ids[0],
              whole.topic(),
              whole.broker(),
              whole.queueId(),
              whole.queueOffset() + i,
              whole.stage(),
              Optional.empty()));
    }
    return receipts;
  }

  /** Bytes a message has in a batch. */
  static int bytes(IdentifiedMessage identified) {
    return FIXED_BYTES + identified.message().body().length + identified.properties().length;
  }

  /** Properties of the batch as a whole: what all its messages have in common. */
  private static byte[] common(IdentifiedMessage first) {
    Map<String, String> common = new LinkedHashMap<>();
    first.message().property(PropertyNames.WAIT).ifPresent(wait -> common.put(PropertyNames.WAIT, wait));
    common.put(PropertyNames.UNIQ_KEY, first.messageId());
    return PropertiesText.encode(common);
  }

  private static byte[] encode(List<IdentifiedMessage> messages) {
    ByteSink out = new ByteSink(messages.stream().mapToInt(MessageBatch::bytes).sum());
    for (IdentifiedMessage identified : messages) {
      byte[] content = identified.message().body();
      out.putInt(bytes(identified));
      out.putInt(0);
      out.putInt(0);
      out.putInt(identified.message().flag());
      out.putInt(content.length);
      out.putBytes(content);
      out.putShort(identified.properties().length);
      out.putBytes(identified.properties());
    }
    return out.toByteArray();
  }
}
