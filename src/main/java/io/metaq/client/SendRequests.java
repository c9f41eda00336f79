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

/** Sends as requests (SEND_MESSAGE_V2, with its one-letter field names) and the answers as receipts. */
final class SendRequests {
  private static final int NO_SYS_FLAG = 0;

  private SendRequests() {}

  /** Properties as they are stored: the message's own with the id the client gives it. */
  static String propertiesText(Message message, String messageId) {
    Map<String, String> all = new LinkedHashMap<>(message.properties());
    all.put(PropertyNames.UNIQ_KEY, messageId);
    return new String(PropertiesText.encode(all), StandardCharsets.UTF_8);
  }

  static RemotingCommand of(Message message, String propertiesText, TopicQueue queue, String group, long nowMs) {
    return RemotingCommand.request(RequestCode.SEND_MESSAGE_V2)
        .ext("a", group)
        .ext("b", message.topic())
        .ext("c", Topics.TEMPLATE)
        .ext("d", Route.NEW_TOPIC_QUEUES)
        .ext("e", queue.queueId())
        .ext("f", NO_SYS_FLAG)
        .ext("g", nowMs)
        .ext("h", message.flag())
        .ext("i", propertiesText)
        .ext("j", 0)
        .ext("k", false)
        .ext("m", false)
        .ext("n", queue.broker())
        .body(message.body());
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
                    stage));
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
