package io.metaq.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** A frame of the remoting protocol, made and read by hand so that the tests do not trust the codec they test. */
public final class RawFrame {

  /** Header serializations, by their number on the wire. */
  public enum Header { JSON, BINARY }

  private static final int VERSION = 513;

  private final int code;
  private final Map<String, String> ext = new LinkedHashMap<>();
  private Header header = Header.JSON;
  private int opaque;
  private int flag;
  private String remark;
  private byte[] body = {};

  private RawFrame(int code) {
    this.code = code;
  }

  public static RawFrame request(int code) {
    return new RawFrame(code);
  }

  /** An answer to what the other side asked. */
  public static RawFrame answerTo(RawFrame request, int code) {
    RawFrame answer = new RawFrame(code);
    answer.opaque = request.opaque;
    answer.flag = 1;
    return answer;
  }

  public RawFrame remark(String text) {
    remark = text;
    return this;
  }

  public RawFrame ext(String key, Object value) {
    ext.put(key, value.toString());
    return this;
  }

  /** The same under another code. */
  public RawFrame withCode(int other) {
    RawFrame copy = new RawFrame(other);
    copy.ext.putAll(ext);
    copy.header = header;
    copy.flag = flag;
    copy.body = body;
    return copy;
  }

  public RawFrame without(String key) {
    ext.remove(key);
    return this;
  }

  public RawFrame body(byte[] bytes) {
    body = bytes;
    return this;
  }

  public RawFrame opaque(int value) {
    opaque = value;
    return this;
  }

  public RawFrame oneway() {
    flag = 2;
    return this;
  }

  public RawFrame in(Header serialization) {
    header = serialization;
    return this;
  }

  public int code() {
    return code;
  }

  public int opaque() {
    return opaque;
  }

  public int flag() {
    return flag;
  }

  public String remark() {
    return remark;
  }

  public Header header() {
    return header;
  }

  public byte[] body() {
    return body;
  }

  public Map<String, String> ext() {
    return ext;
  }

  public String ext(String key) {
    return ext.get(key);
  }

  public long number(String key) {
    return Long.parseLong(ext.get(key));
  }

  /** The whole frame, length field included. */
  public byte[] encode() {
    return frame(header.ordinal(), header == Header.JSON ? json().getBytes(UTF_8) : binary(), body);
  }

  /** A frame of any header bytes, also of such that mean nothing. */
  public static byte[] frame(int serializeType, byte[] header, byte[] body) {
    return ByteBuffer.allocate(8 + header.length + body.length)
        .putInt(4 + header.length + body.length).putInt(serializeType << 24 | header.length).put(header).put(body).array();
  }

  /** Reads what follows the length field. */
  static RawFrame decode(ByteBuffer frame) {
    int word = frame.getInt();
    byte[] headerBytes = new byte[word & 0xFFFFFF];
    frame.get(headerBytes);
    RawFrame decoded = word >>> 24 == 0 ? ofJson(new String(headerBytes, UTF_8)) : ofBinary(ByteBuffer.wrap(headerBytes));
    decoded.body = new byte[frame.remaining()];
    frame.get(decoded.body);
    return decoded;
  }

  private String json() {
    StringJoiner fields = new StringJoiner(",", "{", "}");
    ext.forEach((key, value) -> fields.add(Json.quote(key) + ":" + Json.quote(value)));
    return "{\"code\":" + code + ",\"extFields\":" + fields + ",\"flag\":" + flag + ",\"language\":\"JAVA\",\"opaque\":" + opaque
        + (remark == null ? "" : ",\"remark\":" + Json.quote(remark)) + ",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":" + VERSION + "}";
  }

  private byte[] binary() {
    ByteBuffer fields = ByteBuffer.allocate(128 * 1024);
    ext.forEach((key, value) -> {
      byte[] name = key.getBytes(UTF_8);
      byte[] text = value.getBytes(UTF_8);
      fields.putShort((short) name.length).put(name).putInt(text.length).put(text);
    });
    fields.flip();
    return ByteBuffer.allocate(21 + fields.remaining())
        .putShort((short) code).put((byte) 0).putShort((short) VERSION).putInt(opaque).putInt(flag).putInt(0)
        .putInt(fields.remaining()).put(fields).array();
  }

  @SuppressWarnings("unchecked")
  private static RawFrame ofJson(String text) {
    Map<String, Object> members = Json.object(text);
    RawFrame frame = new RawFrame(((Long) members.get("code")).intValue());
    frame.opaque = ((Long) members.get("opaque")).intValue();
    frame.flag = ((Long) members.get("flag")).intValue();
    frame.remark = (String) members.get("remark");
    if (members.get("extFields") != null) {
      ((Map<String, Object>) members.get("extFields")).forEach((key, value) -> frame.ext.put(key, String.valueOf(value)));
    }
    return frame;
  }

  private static RawFrame ofBinary(ByteBuffer bytes) {
    RawFrame frame = new RawFrame(bytes.getShort());
    frame.header = Header.BINARY;
    bytes.get();
    bytes.getShort();
    frame.opaque = bytes.getInt();
    frame.flag = bytes.getInt();
    frame.remark = text(bytes, bytes.getInt());
    bytes.getInt();
    while (bytes.hasRemaining()) {
      frame.ext.put(text(bytes, bytes.getShort()), text(bytes, bytes.getInt()));
    }
    return frame;
  }

  private static String text(ByteBuffer bytes, int length) {
    byte[] text = new byte[length];
    bytes.get(text);
    return length == 0 ? null : new String(text, UTF_8);
  }

  @Override
  public String toString() {
    return "code " + code + " flag " + flag + " opaque " + opaque + " remark " + remark + " ext " + ext + " body " + body.length;
  }
}
