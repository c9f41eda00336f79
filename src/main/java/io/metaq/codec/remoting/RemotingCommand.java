package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import io.metaq.model.RequestCode;
import io.metaq.model.ResultCode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One request or response held on its own, header and body. Built fluently by one thread, given away when written. The hot requests
 * (send, pull) never become one; they are read and answered in place.
 */
@OwnedBy("whoever builds it, until it is written")
public final class RemotingCommand {
  /** What this server says it is: the number of release V5_5_0. */
  public static final int VERSION = 513;

  public static final String LANGUAGE = "JAVA";

  private static final byte[] NO_BODY = new byte[0];
  static final int RESPONSE = 1;
  static final int ONEWAY = 2;

  private final int code;
  private final String language;
  private final int version;
  private final SerializeType type;
  private int opaque;
  private int flag;
  private String remark;
  private final Map<String, String> ext = new LinkedHashMap<>();
  private byte[] body = NO_BODY;

  private RemotingCommand(int code, String language, int version, int opaque, int flag, SerializeType type) {
    this.code = code;
    this.language = language;
    this.version = version;
    this.opaque = opaque;
    this.flag = flag;
    this.type = type;
  }

  /** A request that expects an answer; its opaque is given when it is sent. */
  public static RemotingCommand request(RequestCode code) {
    return request(code.wire());
  }

  public static RemotingCommand request(int code) {
    return new RemotingCommand(code, LANGUAGE, VERSION, 0, 0, SerializeType.JSON);
  }

  /** A request that expects no answer. */
  public static RemotingCommand oneway(RequestCode code) {
    return new RemotingCommand(code.wire(), LANGUAGE, VERSION, 0, ONEWAY, SerializeType.JSON);
  }

  /** A command as it was decoded from the wire. */
  public static RemotingCommand decoded(int code, String language, int version, int opaque, int flag, SerializeType type) {
    return new RemotingCommand(code, language, version, opaque, flag, type);
  }

  /** An answer to this request: its opaque and header type, no fields yet. */
  public RemotingCommand response(ResultCode result, String text) {
    return response(result.wire(), text);
  }

  /** As {@link #response(ResultCode, String)}, for codes relayed from elsewhere. */
  public RemotingCommand response(int result, String text) {
    return new RemotingCommand(result, LANGUAGE, VERSION, opaque, RESPONSE, type).remark(text);
  }

  /** A successful answer. */
  public RemotingCommand success() {
    return response(ResultCode.SUCCESS, null);
  }

  /** Sets a field; null values are left out. */
  public RemotingCommand ext(String key, String value) {
    if (value != null) {
      ext.put(key, value);
    }
    return this;
  }

  public RemotingCommand ext(String key, long value) {
    return ext(key, Long.toString(value));
  }

  public RemotingCommand ext(String key, boolean value) {
    return ext(key, Boolean.toString(value));
  }

  public RemotingCommand body(byte[] bytes) {
    body = bytes == null ? NO_BODY : bytes;
    return this;
  }

  public RemotingCommand opaque(int value) {
    opaque = value;
    return this;
  }

  /** Makes it one that expects no answer. */
  public RemotingCommand withoutAnswer() {
    flag |= ONEWAY;
    return this;
  }

  public RemotingCommand remark(String text) {
    remark = text;
    return this;
  }

  public int code() {
    return code;
  }

  public String language() {
    return language;
  }

  public int version() {
    return version;
  }

  public int opaque() {
    return opaque;
  }

  public int flag() {
    return flag;
  }

  public boolean isResponse() {
    return (flag & RESPONSE) != 0;
  }

  public boolean oneway() {
    return (flag & ONEWAY) != 0;
  }

  public SerializeType type() {
    return type;
  }

  /** Text for people, null when there is none. */
  public String remark() {
    return remark;
  }

  /** The fields, never null, not to be changed. */
  public Map<String, String> ext() {
    return Collections.unmodifiableMap(ext);
  }

  /** The body, never null, not copied. */
  public byte[] body() {
    return body;
  }

  public Optional<String> text(String key) {
    return Optional.ofNullable(ext.get(key));
  }

  /** A field that must be there. */
  public String requireText(String key) {
    String value = ext.get(key);
    if (value == null) {
      throw new HeaderException("the request lacks the field '" + key + "'");
    }
    return value;
  }

  public int requireInt(String key) {
    String value = requireText(key);
    try {
      return Integer.parseInt(value.trim());
    } catch (NumberFormatException e) {
      throw notANumber(key, value);
    }
  }

  public long requireLong(String key) {
    return parseLong(key, requireText(key));
  }

  /** A number that may be missing. */
  public long longOr(String key, long fallback) {
    String value = ext.get(key);
    return value == null || value.isBlank() ? fallback : parseLong(key, value);
  }

  /** A flag that may be missing; anything but {@code true} (in any case) is false. */
  public boolean booleanOr(String key, boolean fallback) {
    String value = ext.get(key);
    return value == null ? fallback : Boolean.parseBoolean(value.trim());
  }

  private static long parseLong(String key, String value) {
    try {
      return Long.parseLong(value.trim());
    } catch (NumberFormatException e) {
      throw notANumber(key, value);
    }
  }

  private static HeaderException notANumber(String key, String value) {
    return new HeaderException("the field '" + key + "' is not a whole number: '" + value + "'");
  }

  @Override
  public String toString() {
    return (isResponse() ? "response " : "request ") + code + " opaque=" + opaque + " ext=" + ext + " body=" + body.length + " bytes";
  }
}
