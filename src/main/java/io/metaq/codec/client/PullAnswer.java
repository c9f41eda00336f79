package io.metaq.codec.client;

import io.metaq.codec.record.StoredMessage;
import io.metaq.codec.remoting.HeaderException;
import io.metaq.codec.remoting.RemotingCommand;
import io.metaq.model.ResultCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The answer of PULL_MESSAGE, taken apart. Source: the RocketMQ remoting protocol.
 *
 * @param outcome what was at the offset
 * @param nextQueueOffset where to go on
 * @param suggestedBrokerId which broker of the name to read from next
 * @param messages in queue order; bodies as stored
 */
public record PullAnswer(
    Outcome outcome, long nextQueueOffset, long minQueueOffset, long maxQueueOffset, long suggestedBrokerId, List<StoredMessage> messages) {

  /** What was at the offset asked for. */
  public enum Outcome {
    /** Messages. */
    FOUND,
    /** Nothing yet, or nothing that the filter lets through so far; go on at the next offset. */
    NOTHING,
    /** The offset is outside the queue; go on at the next offset. */
    MOVED
  }

  /** Whether an answer with this code has the fields that {@link #decode} reads; others are refusals. */
  public static boolean isPullOutcome(int code) {
    return code == ResultCode.SUCCESS.wire()
        || code == ResultCode.PULL_NOT_FOUND.wire()
        || code == ResultCode.PULL_RETRY_IMMEDIATELY.wire()
        || code == ResultCode.PULL_OFFSET_MOVED.wire();
  }

  /**
   * Takes an answer apart.
   *
   * @throws HeaderException when fields are missing, there is no such next offset, or the records are broken
   */
  public static PullAnswer decode(RemotingCommand answer) {
    long next = answer.requireLong("nextBeginOffset");
    if (next < 0) {
      throw new HeaderException("the next offset of an answer is " + next);
    }
    return new PullAnswer(
        outcome(answer.code()),
        next,
        answer.requireLong("minOffset"),
        answer.requireLong("maxOffset"),
        answer.longOr("suggestWhichBrokerId", 0),
        records(answer.body()));
  }

  private static Outcome outcome(int code) {
    if (code == ResultCode.SUCCESS.wire()) {
      return Outcome.FOUND;
    }
    return code == ResultCode.PULL_OFFSET_MOVED.wire() ? Outcome.MOVED : Outcome.NOTHING;
  }

  /**
   * Records back to back, as bodies of answers hold them.
   *
   * @throws HeaderException when one is broken
   */
  public static List<StoredMessage> records(byte[] body) {
    ByteBuffer bytes = ByteBuffer.wrap(body);
    List<StoredMessage> messages = new ArrayList<>();
    int at = 0;
    try {
      while (at < body.length) {
        StoredMessage message = StoredMessage.decode(bytes, at);
        if (message.size() <= 0) {
          throw new HeaderException("a record of " + message.size() + " bytes at place " + at + " of the answer");
        }
        messages.add(message);
        at += message.size();
      }
    } catch (IndexOutOfBoundsException | NegativeArraySizeException broken) {
      throw new HeaderException("the record at place " + at + " of the answer is broken", broken);
    }
    return messages;
  }
}
