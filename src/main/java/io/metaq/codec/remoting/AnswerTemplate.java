package io.metaq.codec.remoting;

import java.nio.charset.StandardCharsets;

/** The parts of an answer's header that are the same in every answer, as bytes. */
final class AnswerTemplate {
  static final byte[] JSON_CODE = ascii("{\"code\":");
  static final byte[] JSON_QUOTE = ascii("\"");
  private static final byte[] JSON_FLAG = ascii("},\"flag\":1,\"language\":\"" + RemotingCommand.LANGUAGE + "\",\"opaque\":");
  private static final byte[] JSON_REMARK = ascii(",\"remark\":");
  private static final byte[] JSON_END =
      ascii(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":" + RemotingCommand.VERSION + "}");

  private AnswerTemplate() {}

  /** Ends the ext fields and the header. */
  static void endJson(ByteSink out, int opaque, String remark) {
    out.putBytes(JSON_FLAG);
    out.putDecimal(opaque);
    if (remark != null) {
      out.putBytes(JSON_REMARK);
      out.putJsonString(remark);
    }
    out.putBytes(JSON_END);
  }

  /** Begins a binary header up to where its ext entries start; returns where their length is to be filled in. */
  static int beginBinary(ByteSink out, int code, int opaque, String remark) {
    out.putShort(code);
    out.putByte(Languages.wire(RemotingCommand.LANGUAGE));
    out.putShort(RemotingCommand.VERSION);
    out.putInt(opaque);
    out.putInt(RemotingCommand.RESPONSE);
    int remarkAt = out.length();
    out.putInt(0);
    if (remark != null) {
      out.putUtf8(remark);
      out.setInt(remarkAt, out.length() - remarkAt - Integer.BYTES);
    }
    out.putInt(0);
    return out.length() - Integer.BYTES;
  }

  static void endBinary(ByteSink out, int extAt) {
    out.setInt(extAt, out.length() - extAt - Integer.BYTES);
  }

  /** One binary ext entry with a number in decimal. */
  static void putEntry(ByteSink out, byte[] key, long value) {
    out.putBytes(key);
    int valueAt = out.length();
    out.putInt(0);
    out.putDecimal(value);
    out.setInt(valueAt, out.length() - valueAt - Integer.BYTES);
  }

  /** One binary ext entry with text. */
  static void putEntry(ByteSink out, byte[] key, byte[] value) {
    out.putBytes(key);
    out.putInt(value.length);
    out.putBytes(value);
  }

  /** A binary key with its length before it. */
  static byte[] binaryKey(String key) {
    ByteSink sink = new ByteSink(32);
    sink.putShort(key.length());
    sink.putAscii(key);
    return sink.toByteArray();
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
