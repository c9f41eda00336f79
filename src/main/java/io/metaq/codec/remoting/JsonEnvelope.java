package io.metaq.codec.remoting;

import io.metaq.model.OwnedBy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The frame of a JSON header as the official clients write it, found from both ends without looking at the fields in between:
 *
 * <pre>
 * {"code":N,"extFields":{ ... },"flag":N,"language":"NAME","opaque":N,"serializeTypeCurrentRPC":"JSON","version":N}
 * {"code":N,"flag":N,"language":"NAME","opaque":N,"serializeTypeCurrentRPC":"JSON","version":N}
 * </pre>
 *
 * Anything else, however valid, is left to {@link HeaderCodec}. The members at the end cannot lie inside the fields: a nested object
 * would end in two braces, a string could hold their quotes only with backslashes.
 */
@OwnedBy("the reader that holds it")
final class JsonEnvelope {
  private static final byte[] CODE = ascii("{\"code\":");
  private static final byte[] EXT = ascii(",\"extFields\":{");
  private static final byte[] FLAG = ascii(",\"flag\":");
  private static final byte[] LANGUAGE = ascii(",\"language\":\"");
  private static final byte[] OPAQUE = ascii("\",\"opaque\":");
  private static final byte[] VERSION = ascii(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":");
  private static final int MAX_DIGITS = 9;
  private static final int MAX_DIGITS_OF_AN_INT = 10;

  private int code;
  private int flag;
  private int opaque;
  private int version;
  private int extFrom;
  private int extTo;
  private int at;
  private int number;

  /** Looks at a header; false when it is not of the usual form, and then nothing here means anything. */
  boolean scan(byte[] header, int length) {
    at = 0;
    if (!forward(header, length, CODE) || !digitsForward(header, length)) {
      return false;
    }
    code = number;
    int afterCode = at;
    extFrom = forward(header, length, EXT) ? at : -1;

    if (length == 0 || header[length - 1] != '}') {
      return false;
    }
    at = length - 1;
    if (!digitsBackward(header)) {
      return false;
    }
    version = number;
    if (!backward(header, VERSION) || !digitsBackward(header)) {
      return false;
    }
    opaque = number;
    if (!backward(header, OPAQUE) || !nameBackward(header) || !backward(header, LANGUAGE) || !digitsBackward(header)) {
      return false;
    }
    flag = number;
    if (!backward(header, FLAG)) {
      return false;
    }
    if (extFrom < 0) {
      return at == afterCode;
    }
    extTo = at - 1;
    return extTo >= extFrom && header[extTo] == '}';
  }

  int code() {
    return code;
  }

  int flag() {
    return flag;
  }

  int opaque() {
    return opaque;
  }

  int version() {
    return version;
  }

  boolean hasExt() {
    return extFrom >= 0;
  }

  /** First byte behind the brace that opens the fields. */
  int extFrom() {
    return extFrom;
  }

  /** The brace that closes the fields. */
  int extTo() {
    return extTo;
  }

  private boolean forward(byte[] header, int length, byte[] wanted) {
    if (length - at < wanted.length || !Arrays.equals(header, at, at + wanted.length, wanted, 0, wanted.length)) {
      return false;
    }
    at += wanted.length;
    return true;
  }

  private boolean backward(byte[] header, byte[] wanted) {
    int from = at - wanted.length;
    if (from < 0 || !Arrays.equals(header, from, at, wanted, 0, wanted.length)) {
      return false;
    }
    at = from;
    return true;
  }

  private boolean digitsForward(byte[] header, int length) {
    int from = at;
    int value = 0;
    while (at < length && at - from < MAX_DIGITS && header[at] >= '0' && header[at] <= '9') {
      value = value * 10 + header[at++] - '0';
    }
    number = value;
    return at > from && (header[from] != '0' || at == from + 1);
  }

  /** Reads the number that ends before {@code at}; leading zeros and numbers beyond an int are not the usual form. */
  private boolean digitsBackward(byte[] header) {
    int end = at;
    long value = 0;
    long weight = 1;
    while (at > 0 && end - at < MAX_DIGITS_OF_AN_INT && header[at - 1] >= '0' && header[at - 1] <= '9') {
      value += (header[--at] - '0') * weight;
      weight *= 10;
    }
    if (at == end || header[at] == '0' && at != end - 1) {
      return false;
    }
    if (at > 0 && header[at - 1] == '-') {
      at--;
      value = -value;
    }
    number = (int) value;
    return number == value;
  }

  private boolean nameBackward(byte[] header) {
    int end = at;
    while (at > 0 && (header[at - 1] >= 'A' && header[at - 1] <= 'Z' || header[at - 1] == '_')) {
      at--;
    }
    return at < end;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
