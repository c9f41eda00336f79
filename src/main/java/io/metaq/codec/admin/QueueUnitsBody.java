package io.metaq.codec.admin;

import io.metaq.codec.registry.RegistryJson;
import java.util.List;

/** The answer of QUERY_CONSUME_QUEUE: units of a queue as they stand in its file. */
public record QueueUnitsBody(long minIndex, long maxIndex, List<Unit> units) {
  public QueueUnitsBody {
    units = List.copyOf(units);
  }

  /** Where a message lies in the log, and the hash of its tag. */
  public record Unit(long phyOffset, int size, long tagsCode) {}

  public byte[] encode() {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeNumberField("maxQueueIndex", maxIndex);
      out.writeNumberField("minQueueIndex", minIndex);
      out.writeArrayFieldStart("queueData");
      for (Unit unit : units) {
        out.writeStartObject();
        // Whether a group's filter lets it pass, which is not asked here.
        out.writeBooleanField("eval", false);
        out.writeNumberField("physicOffset", unit.phyOffset);
        out.writeNumberField("physicSize", unit.size);
        out.writeNumberField("tagsCode", unit.tagsCode);
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    });
  }
}
