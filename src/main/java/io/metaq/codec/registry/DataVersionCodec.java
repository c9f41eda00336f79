package io.metaq.codec.registry;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.metaq.model.DataVersion;
import java.io.IOException;

/** {@link DataVersion} as JSON, on its own and inside registrations. */
public final class DataVersionCodec {
  private DataVersionCodec() {}

  public static byte[] encode(DataVersion version) {
    return RegistryJson.write(out -> write(out, version));
  }

  /** @throws BodyException when it is not a version */
  public static DataVersion decode(byte[] json) {
    return RegistryJson.read("data version", json, DataVersionCodec::read);
  }

  static void write(JsonGenerator out, DataVersion version) throws IOException {
    out.writeStartObject();
    out.writeNumberField("counter", version.counter());
    out.writeNumberField("stateVersion", version.stateVersion());
    out.writeNumberField("timestamp", version.timestamp());
    out.writeEndObject();
  }

  static DataVersion read(JsonParser in) throws IOException {
    long[] numbers = new long[3];
    RegistryJson.object(in, name -> {
      switch (name) {
        case "stateVersion" -> numbers[0] = RegistryJson.number(in);
        case "timestamp" -> numbers[1] = RegistryJson.number(in);
        case "counter" -> numbers[2] = RegistryJson.number(in);
        default -> { }
      }
    });
    return new DataVersion(numbers[0], numbers[1], numbers[2]);
  }
}
