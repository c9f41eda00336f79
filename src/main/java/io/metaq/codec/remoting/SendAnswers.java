package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import io.metaq.model.ResultCode;
import java.nio.charset.StandardCharsets;

/**
 * Answers to sends, whole frames out of prepared parts. All of them carry the fields that clients read without asking whether they
 * are there.
 */
@OwnedBy("the loop that answers with it")
public final class SendAnswers {
  private static final byte[] EXT = AnswerTemplate.ascii(",\"extFields\":{");
  private static final byte[] MSG_ID = AnswerTemplate.ascii("\"msgId\":\"");
  private static final byte[] QUEUE_ID = AnswerTemplate.ascii("\",\"queueId\":\"");
  private static final byte[] QUEUE_OFFSET = AnswerTemplate.ascii("\",\"queueOffset\":\"");
  private static final byte[] NEXT_FIELD = AnswerTemplate.ascii(",");
  private static final byte[] NEXT_FIELD_AFTER_TEXT = AnswerTemplate.ascii("\",");

  private static final byte[] MSG_ID_KEY = AnswerTemplate.binaryKey("msgId");
  private static final byte[] QUEUE_ID_KEY = AnswerTemplate.binaryKey("queueId");
  private static final byte[] QUEUE_OFFSET_KEY = AnswerTemplate.binaryKey("queueOffset");

  /** A field that only some answers have. */
  public enum Field {
    /** The unique key of a half message. */
    TRANSACTION_ID("transactionId"),
    /** What a message that waits for its time can be taken back with. */
    RECALL_HANDLE("recallHandle");

    private final byte[] json;
    private final byte[] binary;

    Field(String name) {
      json = AnswerTemplate.ascii("\",\"" + name + "\":");
      binary = AnswerTemplate.binaryKey(name);
    }
  }

  /** A field with its value. */
  public record Extra(Field field, String value) {}

  private final MessageIds ids;
  private final byte[] regionJson;
  private final byte[] regionBinary;
  private final ByteSink oneId = new ByteSink(64);

  /**
   * @param storeHost this broker's address as message ids hold it: IP bytes, then the port as i32
   * @param region name of the region, told to clients
   * @param traceOn whether clients may trace their sends
   */
  public SendAnswers(byte[] storeHost, String region, boolean traceOn) {
    ids = new MessageIds(storeHost);
    ByteSink json = new ByteSink(128);
    json.putAscii("\"MSG_REGION\":");
    json.putJsonString(region);
    json.putAscii(",\"TRACE_ON\":\"" + traceOn + "\"");
    regionJson = json.toByteArray();
    ByteSink binary = new ByteSink(128);
    AnswerTemplate.putEntry(binary, AnswerTemplate.binaryKey("MSG_REGION"), region.getBytes(StandardCharsets.UTF_8));
    AnswerTemplate.putEntry(binary, AnswerTemplate.binaryKey("TRACE_ON"), AnswerTemplate.ascii(Boolean.toString(traceOn)));
    regionBinary = binary.toByteArray();
  }

  /** Appends the answer to one stored message; {@code remark} may be null. */
  public void encode(ByteSink out, SerializeType type, int opaque, ResultCode code, String remark, long phyOffset, int queueId,
      long queueOffset) {
    oneId.clear();
    ids.append(oneId, phyOffset);
    encode(out, type, opaque, code, remark, oneId, queueId, queueOffset, null);
  }

  /** Appends one more id to the list that answers a batch: ids joined with commas. */
  public void appendId(ByteSink list, long phyOffset) {
    if (list.length() > 0) {
      list.putByte(',');
    }
    ids.append(list, phyOffset);
  }

  /**
   * Appends the answer to a batch, or to a message whose answer has a field of its own.
   *
   * @param msgIds ids, as {@link #appendId} made them
   * @param queueOffset of the first message
   * @param extra null when the answer has no more than all have
   */
  public void encode(ByteSink out, SerializeType type, int opaque, ResultCode code, String remark, ByteSink msgIds, int queueId,
      long queueOffset, Extra extra) {
    int start = HeaderCodec.beginFrame(out);
    switch (type) {
      case JSON -> {
        beginJson(out, code);
        out.putBytes(MSG_ID);
        out.putBytes(msgIds.array(), 0, msgIds.length());
        out.putBytes(QUEUE_ID);
        out.putDecimal(queueId);
        out.putBytes(QUEUE_OFFSET);
        out.putDecimal(queueOffset);
        if (extra != null) {
          out.putBytes(extra.field().json);
          out.putJsonString(extra.value());
        }
        out.putBytes(extra != null ? NEXT_FIELD : NEXT_FIELD_AFTER_TEXT);
        out.putBytes(regionJson);
        AnswerTemplate.endJson(out, opaque, remark);
      }
      case ROCKETMQ -> {
        int extAt = AnswerTemplate.beginBinary(out, code.wire(), opaque, remark);
        out.putBytes(MSG_ID_KEY);
        out.putInt(msgIds.length());
        out.putBytes(msgIds.array(), 0, msgIds.length());
        AnswerTemplate.putEntry(out, QUEUE_ID_KEY, queueId);
        AnswerTemplate.putEntry(out, QUEUE_OFFSET_KEY, queueOffset);
        if (extra != null) {
          AnswerTemplate.putEntry(out, extra.field().binary, extra.value().getBytes(StandardCharsets.UTF_8));
        }
        out.putBytes(regionBinary);
        AnswerTemplate.endBinary(out, extAt);
      }
    }
    HeaderCodec.endHeader(out, start, type, 0);
  }

  /** Appends the answer to a send that was not stored. */
  public void refuse(ByteSink out, SerializeType type, int opaque, ResultCode code, String remark) {
    int start = HeaderCodec.beginFrame(out);
    switch (type) {
      case JSON -> {
        beginJson(out, code);
        out.putBytes(regionJson);
        AnswerTemplate.endJson(out, opaque, remark);
      }
      case ROCKETMQ -> {
        int extAt = AnswerTemplate.beginBinary(out, code.wire(), opaque, remark);
        out.putBytes(regionBinary);
        AnswerTemplate.endBinary(out, extAt);
      }
    }
    HeaderCodec.endHeader(out, start, type, 0);
  }

  private static void beginJson(ByteSink out, ResultCode code) {
    out.putBytes(AnswerTemplate.JSON_CODE);
    out.putDecimal(code.wire());
    out.putBytes(EXT);
  }
}
