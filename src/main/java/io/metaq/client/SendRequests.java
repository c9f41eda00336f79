package io.metaq.client;

import io.metaq.codec.record.PropertiesText;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.PropertyNames;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import io.metaq.model.Topics;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Sends as requests (SEND_MESSAGE_V2 and SEND_BATCH_MESSAGE, with their one-letter field names) and the answers as receipts. */
final class SendRequests {
  private SendRequests() {}

  /** Properties as they are stored: the message's own with the id the client gives it. */
  static String propertiesText(Message message, String messageId) {
    Map<String, String> all = new LinkedHashMap<>(message.properties());
    all.put(PropertyNames.UNIQ_KEY, messageId);
    return new String(PropertiesText.encode(all), StandardCharsets.UTF_8);
  }

  /**
   * @param body as it travels, compressed if {@code sysFlag} says so
   */
  static RemotingCommand of(
      RequestCode code, Message message, String propertiesText, byte[] body, int sysFlag, TopicQueue queue, String group, long nowMs) {
    return fields(code, message.topic(), propertiesText, sysFlag, queue, group, nowMs)
        .ext("h", message.flag())
        .ext("m", false)
        .body(body);
  }

  static RemotingCommand ofBatch(String topic, String propertiesText, byte[] body, TopicQueue queue, String group, long nowMs) {
    return fields(RequestCode.SEND_BATCH_MESSAGE, topic, propertiesText, 0, queue, group, nowMs).ext("h", 0).ext("m", true).body(body);
  }

  private static RemotingCommand fields(
      RequestCode code, String topic, String propertiesText, int sysFlag, TopicQueue queue, String group, long nowMs) {
    return RemotingCommand.request(code)
        .ext("a", group)
        .ext("b", topic)
        .ext("c", Topics.TEMPLATE)
        .ext("d", Route.NEW_TOPIC_QUEUES)
        .ext("e", queue.queueId())
        .ext("f", sysFlag)
        .ext("g", nowMs)
        .ext("i", propertiesText)
        .ext("j", 0)
        .ext("k", false)
        .ext("n", queue.broker());
  }

  /** The receipt of an answer that says "stored"; empty when it says otherwise. */
  static Optional<SendReceipt> receipt(RemotingCommand answer, String messageId, TopicQueue queue) {
    return stage(answer.code())
        .map(
            stage ->
                new SendReceipt(
                    messageId,
                    answer.requireText("msgId"),
                    queue.topic(),
                    queue.broker(),
                    answer.requireInt("queueId"),
                    answer.requireLong("queueOffset"),
                    stage,
                    answer.text("recallHandle")));
  }

  private static Optional<SendReceipt.Stage> stage(int code) {
    return ResultCode.of(code)
        .flatMap(
            known ->
                Optional.ofNullable(
                    switch (known) {
                      case SUCCESS -> SendReceipt.Stage.STORED;
                      case FLUSH_DISK_TIMEOUT -> SendReceipt.Stage.FLUSH_PENDING;
                      case SLAVE_NOT_AVAILABLE -> SendReceipt.Stage.NO_REPLICA;
                      case FLUSH_SLAVE_TIMEOUT -> SendReceipt.Stage.REPLICATION_PENDING;
                      default -> null;
                    }));
  }
}
