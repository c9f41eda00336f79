package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.codec.registry.BodyException;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The answer of VIEW_BROKER_STATS_DATA. */
public record StatisticsBody(Window minute, Window hour, Window day) {
  /**
   * A span of time.
   *
   * @param average of one addition
   */
  public record Window(long sum, double perSecond, double average) {}

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      write(out, "statsDay", day);
      write(out, "statsHour", hour);
      write(out, "statsMinute", minute);
      out.writeEndObject();
    });
  }

  /**
   * Reads the answer of one broker.
   *
   * @throws BodyException when it is none
   */
  public static StatisticsBody decode(byte[] json) {
    Map<String, Window> windows = new HashMap<>();
    RegistryJson.read("statistics", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.startsWith("stats")) {
          windows.put(name, window(RegistryJson.texts(in)));
        }
      });
      return null;
    });
    Window none = new Window(0, 0, 0);
    return new StatisticsBody(
        windows.getOrDefault("statsMinute", none), windows.getOrDefault("statsHour", none), windows.getOrDefault("statsDay", none));
  }

  private static Window window(Map<String, String> fields) {
    try {
      return new Window(Long.parseLong(fields.getOrDefault("sum", "0")), Double.parseDouble(fields.getOrDefault("tps", "0")),
          Double.parseDouble(fields.getOrDefault("avgpt", "0")));
    } catch (NumberFormatException e) {
      throw new BodyException("a number of a statistic is none: " + fields);
    }
  }

  private static void write(JsonGenerator out, String name, Window window) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeNumberField("avgpt", window.average);
    out.writeNumberField("sum", window.sum);
    out.writeNumberField("tps", window.perSecond);
    out.writeEndObject();
  }
}
