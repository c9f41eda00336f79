package io.metaq.codec.admin;

import io.metaq.model.OwnedBy;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Reads what RocketMQ writes for a map whose keys are objects, {@code {{"queueId":0}:7}}, which is no JSON: such a key becomes a
 * text that holds it, {@code {"{\"queueId\":0}":7}}. What is JSON already comes out as it was.
 */
@OwnedBy("the call that reads")
final class ObjectKeys {
  private static final int DEEPEST = 64;

  private final byte[] json;
  private final ByteArrayOutputStream out;
  private int at;

  private ObjectKeys(byte[] json) {
    this.json = json;
    this.out = new ByteArrayOutputStream(json.length + json.length / 4 + 16);
  }

  /** The same with texts for keys. What is broken stays broken, for the parser to complain of. */
  static byte[] asTexts(byte[] json) {
    ObjectKeys keys = new ObjectKeys(json);
    keys.copy();
    return keys.out.toByteArray();
  }

  private void copy() {
    boolean[] inObject = new boolean[DEEPEST];
    int depth = 0;
    boolean keyNext = false;
    while (at < json.length) {
      byte c = json[at];
      if (keyNext && c == '{') {
        key();
        keyNext = false;
        continue;
      }
      switch (c) {
        case '"' -> {
          copyText();
          keyNext = false;
          continue;
        }
        case '{', '[' -> {
          if (++depth >= DEEPEST) {
            out.write(json, at, json.length - at);
            return;
          }
          inObject[depth] = c == '{';
          keyNext = inObject[depth];
        }
        case '}', ']' -> {
          depth = Math.max(0, depth - 1);
          keyNext = false;
        }
        case ',' -> keyNext = inObject[depth];
        case ':' -> keyNext = false;
        default -> { }
      }
      out.write(c);
      at++;
    }
  }

  /** A text, quotes included. */
  private void copyText() {
    int end = endOfText(at);
    out.write(json, at, end - at);
    at = end;
  }

  private void key() {
    int start = at;
    int depth = 0;
    do {
      byte c = json[at];
      if (c == '"') {
        at = endOfText(at);
      } else {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        at++;
      }
    } while (depth > 0 && at < json.length);
    String key = new String(json, start, at - start, StandardCharsets.UTF_8).replace("\\", "\\\\").replace("\"", "\\\"");
    out.writeBytes(('"' + key + '"').getBytes(StandardCharsets.UTF_8));
  }

  private int endOfText(int start) {
    int end = start + 1;
    while (end < json.length && json[end] != '"') {
      end += json[end] == '\\' ? 2 : 1;
    }
    return Math.min(json.length, end + 1);
  }
}
