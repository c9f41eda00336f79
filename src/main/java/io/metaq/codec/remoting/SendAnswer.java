package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;

/**
 * What a client reads of the answer to a send.
 *
 * @param remark text for people, null when there is none
 * @param msgId the broker's id of the record, or its ids; null when the answer has none
 * @param queueId -1 when the answer has none
 * @param queueOffset -1 when the answer has none
 * @param recallHandle null when the answer has none
 */
public record SendAnswer(int code, String remark, String msgId, int queueId, long queueOffset, String recallHandle) {
  private static final byte[] MSG_ID = "msgId".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUEUE_ID = "queueId".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] QUEUE_OFFSET = "queueOffset".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECALL_HANDLE = "recallHandle".getBytes(StandardCharsets.US_ASCII);

  /** Whether it has all that an answer to a stored message must have. */
  public boolean isComplete() {
    return msgId != null && queueId >= 0 && queueOffset >= 0;
  }

  /**
   * Reads an answer that was decoded.
   *
   * @throws HeaderException when a field is no number
   */
  public static SendAnswer of(RemotingCommand answer) {
    return new SendAnswer(
        answer.code(),
        answer.remark(),
        answer.text("msgId").orElse(null),
        (int) answer.longOr("queueId", -1),
        answer.longOr("queueOffset", -1),
        answer.text("recallHandle").orElse(null));
  }

  /**
   * Reads an answer from its binary header in place.
   *
   * @throws HeaderException when it cannot be read
   */
  public static SendAnswer read(byte[] header, int from, int length) {
    Fields fields = new Fields();
    BinaryHeader.entries(header, from, length, fields);
    return new SendAnswer(
        BinaryHeader.code(header, from),
        BinaryHeader.remark(header, from, length),
        fields.msgId,
        (int) fields.queueId,
        fields.queueOffset,
        fields.recallHandle);
  }

  /** Takes the fields as they come. */
  @OwnedBy("the call that reads")
  private static final class Fields implements BinaryHeader.Entries {
    private String msgId;
    private long queueId = -1;
    private long queueOffset = -1;
    private String recallHandle;

    @Override
    public void entry(byte[] header, int keyFrom, int keyLength, int valueFrom, int valueLength) {
      if (is(MSG_ID, header, keyFrom, keyLength)) {
        msgId = text(header, valueFrom, valueLength);
      } else if (is(QUEUE_ID, header, keyFrom, keyLength)) {
        queueId = number(header, valueFrom, valueLength);
      } else if (is(QUEUE_OFFSET, header, keyFrom, keyLength)) {
        queueOffset = number(header, valueFrom, valueLength);
      } else if (is(RECALL_HANDLE, header, keyFrom, keyLength)) {
        recallHandle = text(header, valueFrom, valueLength);
      }
    }

    private static boolean is(byte[] name, byte[] header, int from, int length) {
      if (length != name.length) {
        return false;
      }
      for (int i = 0; i < length; i++) {
        if (header[from + i] != name[i]) {
          return false;
        }
      }
      return true;
    }

    private static String text(byte[] header, int from, int length) {
      return length == 0 ? null : new String(header, from, length, StandardCharsets.ISO_8859_1);
    }

    private static long number(byte[] header, int from, int length) {
      long value = 0;
      for (int i = from; i < from + length; i++) {
        int digit = header[i] - '0';
        if (digit < 0 || digit > 9 || value > Long.MAX_VALUE / 10 - 1) {
          throw new HeaderException("a field of an answer is not a whole number: '" + text(header, from, length) + "'");
        }
        value = value * 10 + digit;
      }
      return length == 0 ? -1 : value;
    }
  }
}
