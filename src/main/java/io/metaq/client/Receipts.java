package io.metaq.client;

import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.SendAnswer;
import io.metaq.model.ResultCode;
import java.util.Optional;

/** Answers to sends as receipts. */
final class Receipts {
  private Receipts() {}

  /**
   * The receipt of an answer that says "stored"; empty when it says otherwise.
   *
   * @throws HeaderException when it says "stored", and not where
   */
  static Optional<SendReceipt> of(SendAnswer answer, String messageId, TopicQueue queue) {
    SendReceipt.Stage stage = stage(answer.code());
    if (stage == null) {
      return Optional.empty();
    }
    if (!answer.isComplete()) {
      throw new HeaderException("it lacks one of msgId, queueId, queueOffset");
    }
    return Optional.of(
        new SendReceipt(
            messageId,
            answer.msgId(),
            queue.topic(),
            queue.broker(),
            answer.queueId(),
            answer.queueOffset(),
            stage,
            Optional.ofNullable(answer.recallHandle())));
  }

  private static SendReceipt.Stage stage(int code) {
    if (code == ResultCode.SUCCESS.wire()) {
      return SendReceipt.Stage.STORED;
    }
    return ResultCode.of(code)
        .map(
            known ->
                switch (known) {
                  case FLUSH_DISK_TIMEOUT -> SendReceipt.Stage.FLUSH_PENDING;
                  case SLAVE_NOT_AVAILABLE -> SendReceipt.Stage.NO_REPLICA;
                  case FLUSH_SLAVE_TIMEOUT -> SendReceipt.Stage.REPLICATION_PENDING;
                  default -> null;
                })
        .orElse(null);
  }
}
