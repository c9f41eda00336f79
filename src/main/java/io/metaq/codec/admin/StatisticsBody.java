package io.metaq.codec.admin;

import com.fasterxml.jackson.core.JsonGenerator;
import io.metaq.codec.registry.RegistryJson;
import java.io.IOException;

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

  private static void write(JsonGenerator out, String name, Window window) throws IOException {
    out.writeObjectFieldStart(name);
    out.writeNumberField("avgpt", window.average);
    out.writeNumberField("sum", window.sum);
    out.writeNumberField("tps", window.perSecond);
    out.writeEndObject();
  }
}
