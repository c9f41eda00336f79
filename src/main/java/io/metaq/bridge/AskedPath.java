package io.metaq.bridge;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A path with its query as text, {@code /v1/topics/orders?x=y}, taken apart by the template it fits. */
final class AskedPath extends Asked {
  private final Map<String, String> variables;
  private final Map<String, String> query;

  private AskedPath(Map<String, String> variables, Map<String, String> query) {
    this.variables = variables;
    this.query = query;
  }

  /**
   * Empty when the path does not fit.
   *
   * @param template with variables in braces, {@code /v1/topics/{topic}}
   * @throws BridgeException {@code INVALID} when it cannot be decoded
   */
  static Optional<AskedPath> of(String template, String text) {
    int mark = text.indexOf('?');
    String[] wanted = template.split("/", -1);
    String[] given = (mark < 0 ? text : text.substring(0, mark)).split("/", -1);
    if (wanted.length != given.length) {
      return Optional.empty();
    }
    Map<String, String> variables = new HashMap<>();
    for (int i = 0; i < wanted.length; i++) {
      if (wanted[i].startsWith("{")) {
        // In a path a plus is a plus.
        variables.put(wanted[i].substring(1, wanted[i].length() - 1), decoded(given[i].replace("+", "%2B")));
      } else if (!wanted[i].equals(given[i])) {
        return Optional.empty();
      }
    }
    return Optional.of(new AskedPath(variables, mark < 0 ? Map.of() : parameters(text.substring(mark + 1))));
  }

  private static Map<String, String> parameters(String text) {
    Map<String, String> query = new HashMap<>();
    for (String pair : text.split("&")) {
      int equals = pair.indexOf('=');
      if (!pair.isEmpty()) {
        query.putIfAbsent(decoded(equals < 0 ? pair : pair.substring(0, equals)), equals < 0 ? "" : decoded(pair.substring(equals + 1)));
      }
    }
    return query;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      throw Fault.INVALID.because("the path cannot be decoded");
    }
  }

  @Override
  String path(String name) {
    return variables.get(name);
  }

  @Override
  Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }
}
