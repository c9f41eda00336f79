package io.metaq.it;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * As much JSON as the tests need to read answers: objects become maps, arrays lists, numbers longs or doubles. It is here because
 * the class paths of the official clients have no JSON library in common.
 */
public final class Json {

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** Reads one value; anything after it is an error. */
  public static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipBlanks();
    if (json.at != text.length()) {
      throw json.error("text after the value");
    }
    return value;
  }

  /** Reads an object. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(String text) {
    return (Map<String, Object>) parse(text);
  }

  /** A text as a JSON string, quotes included. */
  public static String quote(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private Object value() {
    skipBlanks();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> word();
    };
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    while (!closes('}')) {
      String key = peek() == '"' ? string() : String.valueOf(word());
      skipBlanks();
      expect(':');
      members.put(key, value());
    }
    return members;
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    expect('[');
    while (!closes(']')) {
      elements.add(value());
    }
    return elements;
  }

  private boolean closes(char end) {
    skipBlanks();
    if (peek() == ',') {
      at++;
      skipBlanks();
      return false;
    }
    if (peek() == end) {
      at++;
      return true;
    }
    return false;
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    expect('"');
    while (peek() != '"') {
      char c = text.charAt(at++);
      out.append(c == '\\' ? escaped() : c);
    }
    at++;
    return out.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    switch (c) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'u':
        at += 4;
        return (char) Integer.parseInt(text.substring(at - 4, at), 16);
      default:
        return c;
    }
  }

  private Object word() {
    int from = at;
    while (at < text.length() && ",:]} \n\r\t".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(from, at);
    return switch (word) {
      case "true" -> true;
      case "false" -> false;
      case "null" -> null;
      default -> word.indexOf('.') >= 0 ? (Object) Double.valueOf(word) : (Object) Long.valueOf(word);
    };
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    if (at >= text.length()) {
      throw error("end of text");
    }
    return text.charAt(at);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw error("expected " + c);
    }
    at++;
  }

  private IllegalArgumentException error(String what) {
    return new IllegalArgumentException(what + " at " + at + " of " + text);
  }
}
