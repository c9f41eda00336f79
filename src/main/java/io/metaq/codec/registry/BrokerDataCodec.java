package io.metaq.codec.registry;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.metaq.model.OwnedBy;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** {@link BrokerData} as a JSON object inside routes and the cluster table. */
final class BrokerDataCodec {
  private BrokerDataCodec() {}

  static void write(JsonGenerator out, BrokerData broker, IdKeys keys) throws IOException {
    out.writeStartObject();
    writeAddresses(out, broker.addresses(), keys);
    out.writeStringField("brokerName", broker.brokerName());
    out.writeStringField("cluster", broker.cluster());
    out.writeBooleanField("enableActingMaster", broker.enableActingMaster());
    out.writeEndObject();
  }

  static void writeAddresses(JsonGenerator out, SortedMap<Long, String> addresses, IdKeys keys) throws IOException {
    out.writeFieldName("brokerAddrs");
    out.writeRawValue(addressesText(addresses, keys == IdKeys.QUOTED ? "\"" : ""));
  }

  /** Text, because Jackson quotes either every key of a document or none. */
  private static String addressesText(SortedMap<Long, String> addresses, String quote) {
    StringBuilder text = new StringBuilder("{");
    for (Map.Entry<Long, String> entry : addresses.entrySet()) {
      text.append(text.length() == 1 ? "" : ",").append(quote).append(entry.getKey()).append(quote).append(":\"");
      JsonStringEncoder.getInstance().quoteAsString(entry.getValue(), text);
      text.append('"');
    }
    return text.append('}').toString();
  }

  static BrokerData read(JsonParser in) throws IOException {
    Draft draft = new Draft();
    RegistryJson.object(in, name -> {
      switch (name) {
        case "brokerAddrs" -> draft.addresses = readAddresses(in);
        case "brokerName" -> draft.name = RegistryJson.text(in);
        case "cluster" -> draft.cluster = RegistryJson.text(in);
        case "enableActingMaster" -> draft.actingMaster = RegistryJson.flag(in);
        default -> { }
      }
    });
    if (draft.name == null) {
      throw new BodyException("a broker of the route has no name");
    }
    return new BrokerData(draft.cluster == null ? "" : draft.cluster, draft.name, draft.addresses, draft.actingMaster);
  }

  private static SortedMap<Long, String> readAddresses(JsonParser in) throws IOException {
    SortedMap<Long, String> addresses = new TreeMap<>();
    RegistryJson.texts(in).forEach((id, address) -> addresses.put(brokerId(id), address));
    return addresses;
  }

  private static long brokerId(String key) {
    try {
      return Long.parseLong(key.trim());
    } catch (NumberFormatException e) {
      throw new BodyException("a broker id is not a whole number: '" + key + "'");
    }
  }

  @OwnedBy("the call that reads it")
  private static final class Draft {
    private SortedMap<Long, String> addresses = new TreeMap<>();
    private String name;
    private String cluster;
    private boolean actingMaster;
  }
}
