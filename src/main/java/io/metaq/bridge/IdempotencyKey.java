package io.metaq.bridge;

import java.util.regex.Pattern;

/**
 * What a caller names one send by, so that repeating it stores nothing twice. It becomes the message's id, and so needs the alphabet of
 * keys: no spaces, nothing that separates properties.
 */
record IdempotencyKey(String text) {
  private static final Pattern ALLOWED = Pattern.compile("[!-~]{1,128}");

  /** Of a header; quotes around it, as structured fields have them, do not count. */
  static IdempotencyKey parse(String header) {
    String text = header.trim();
    if (text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")) {
      text = text.substring(1, text.length() - 1);
    }
    if (!ALLOWED.matcher(text).matches()) {
      throw Fault.INVALID.because("the header Idempotency-Key must have 1 to 128 visible ASCII characters without spaces");
    }
    return new IdempotencyKey(text);
  }

  /** The key of one message of a request that has several. */
  IdempotencyKey of(int index) {
    return new IdempotencyKey(text + "." + index);
  }
}
