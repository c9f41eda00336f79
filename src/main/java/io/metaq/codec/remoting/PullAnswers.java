package io.metaq.codec.remoting;

import io.metaq.model.ResultCode;

/** Heads of answers to pulls: everything before the body, which the caller writes next. */
public final class PullAnswers {
  private static final byte[] NEXT = AnswerTemplate.ascii(",\"extFields\":{\"nextBeginOffset\":\"");
  private static final byte[] MIN = AnswerTemplate.ascii("\",\"minOffset\":\"");
  private static final byte[] MAX = AnswerTemplate.ascii("\",\"maxOffset\":\"");
  private static final byte[] SUGGEST = AnswerTemplate.ascii("\",\"suggestWhichBrokerId\":\"");

  private static final byte[] NEXT_KEY = AnswerTemplate.binaryKey("nextBeginOffset");
  private static final byte[] MIN_KEY = AnswerTemplate.binaryKey("minOffset");
  private static final byte[] MAX_KEY = AnswerTemplate.binaryKey("maxOffset");
  private static final byte[] SUGGEST_KEY = AnswerTemplate.binaryKey("suggestWhichBrokerId");

  /**
   * Appends the head of a frame whose body will have {@code bodyLength} bytes.
   *
   * @param remark may be null
   * @param suggestBrokerId which broker of the set to pull from next, 0 the master
   */
  public void encode(ByteSink out, SerializeType type, int opaque, ResultCode code, String remark, long nextBeginOffset,
      long minOffset, long maxOffset, long suggestBrokerId, int bodyLength) {
    int start = HeaderCodec.beginFrame(out);
    switch (type) {
      case JSON -> {
        out.putBytes(AnswerTemplate.JSON_CODE);
        out.putDecimal(code.wire());
        out.putBytes(NEXT);
        out.putDecimal(nextBeginOffset);
        out.putBytes(MIN);
        out.putDecimal(minOffset);
        out.putBytes(MAX);
        out.putDecimal(maxOffset);
        out.putBytes(SUGGEST);
        out.putDecimal(suggestBrokerId);
        out.putBytes(AnswerTemplate.JSON_QUOTE);
        AnswerTemplate.endJson(out, opaque, remark);
      }
      case ROCKETMQ -> {
        int extAt = AnswerTemplate.beginBinary(out, code.wire(), opaque, remark);
        AnswerTemplate.putEntry(out, NEXT_KEY, nextBeginOffset);
        AnswerTemplate.putEntry(out, MIN_KEY, minOffset);
        AnswerTemplate.putEntry(out, MAX_KEY, maxOffset);
        AnswerTemplate.putEntry(out, SUGGEST_KEY, suggestBrokerId);
        AnswerTemplate.endBinary(out, extAt);
      }
    }
    HeaderCodec.endHeader(out, start, type, bodyLength);
  }
}
