package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.ByteSink;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.PropertyNames;
import java.nio.charset.StandardCharsets;
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

  private final List<Identified> messages;
  private final String group;
  private final Message first;
  private final byte[] body;

  /** A message with the id and the text of all properties it is sent with. */
  record Identified(Message message, String messageId, String properties) {
    /** Bytes it has in a batch. */
    int batchBytes() {
      return FIXED_BYTES + message.body().length + propertiesBytes().length;
    }

    private byte[] propertiesBytes() {
      return properties.getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * @param messages at least one; equal in topic, target and whether they wait until they are stored
   */
  MessageBatch(List<Identified> messages, String group) {
    this.messages = List.copyOf(messages);
    this.group = group;
    this.first = messages.get(0).message();
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
  public RemotingCommand request(TopicQueue queue, long nowMs) {
    Map<String, String> common = new LinkedHashMap<>();
    first.property(PropertyNames.WAIT).ifPresent(wait -> common.put(PropertyNames.WAIT, wait));
    common.put(PropertyNames.UNIQ_KEY, messages.get(0).messageId());
    String properties = new String(PropertiesText.encode(common), StandardCharsets.UTF_8);
    return SendRequests.ofBatch(topic(), properties, body, queue, group, nowMs);
  }

  @Override
  public Optional<List<SendReceipt>> receipt(RemotingCommand answer, TopicQueue queue) {
    return SendRequests.receipt(answer, "", queue).map(this::each);
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

  private static byte[] encode(List<Identified> messages) {
    ByteSink out = new ByteSink(messages.stream().mapToInt(Identified::batchBytes).sum());
    for (Identified identified : messages) {
      byte[] content = identified.message().body();
      byte[] properties = identified.propertiesBytes();
      out.putInt(FIXED_BYTES + content.length + properties.length);
      out.putInt(0);
      out.putInt(0);
      out.putInt(identified.message().flag());
      out.putInt(content.length);
      out.putBytes(content);
      out.putShort(properties.length);
      out.putBytes(properties);
    }
    return out.toByteArray();
  }
}
