package io.metaq.codec.admin;

import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What consumers say of the queues they have: each a table of offsets by queue, whose keys are objects. So the tables are passed on as
 * the text they came in. Source: the RocketMQ remoting protocol.
 */
public final class ConsumerStatusBody {
  private static final String TABLE = "\"messageQueueTable\"";
  private static final String NO_QUEUES = "{}";
  private static final Pattern QUEUE = Pattern.compile("\\{[^{}]*}");
  private static final Pattern QUEUE_ID = Pattern.compile("\"queueId\":(\\d{1,9})");

  private ConsumerStatusBody() {}

  /**
   * The table in a client's answer to GET_CONSUMER_STATUS_FROM_CLIENT; an answer without one says that it has no queues.
   *
   * @throws BodyException when the table has no end
   */
  public static String tableOf(byte[] answer) {
    String text = new String(answer, StandardCharsets.UTF_8);
    int name = text.indexOf(TABLE);
    int begin = name < 0 ? -1 : text.indexOf('{', name);
    return begin < 0 ? NO_QUEUES : text.substring(begin, end(text, begin));
  }

  /** Behind the object that begins at {@code begin}; braces within strings do not count. */
  private static int end(String text, int begin) {
    int depth = 0;
    boolean quoted = false;
    for (int i = begin; i < text.length(); i++) {
      char c = text.charAt(i);
      if (quoted) {
        i += c == '\\' ? 1 : 0;
        quoted = c != '"';
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return i + 1;
      }
    }
    throw new BodyException("the table of queues has no end");
  }

  /** Which queues of a broker are in a table. */
  public static Set<Integer> queueIds(String table, String brokerName) {
    Set<Integer> ids = new TreeSet<>();
    Matcher queue = QUEUE.matcher(table);
    while (queue.find()) {
      Matcher id = QUEUE_ID.matcher(queue.group());
      if (queue.group().contains("\"brokerName\":\"" + brokerName + "\"") && id.find()) {
        ids.add(Integer.valueOf(id.group(1)));
      }
    }
    return ids;
  }

  /** Answer to INVOKE_BROKER_TO_GET_CONSUMER_STATUS: the tables by client id. */
  public static byte[] encode(Map<String, String> tables) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeObjectFieldStart("consumerTable");
      for (Map.Entry<String, String> table : tables.entrySet()) {
        out.writeFieldName(table.getKey());
        out.writeRawValue(table.getValue());
      }
      out.writeEndObject();
      out.writeObjectFieldStart("messageQueueTable");
      out.writeEndObject();
      out.writeEndObject();
    });
  }
}
