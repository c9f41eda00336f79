package io.metaq.codec.registry;

import java.util.LinkedHashMap;
import java.util.Map;

/** Key-value tables: one namespace as an answer ({@code {"table":{..}}}), all of them as a file ({@code {"configTable":{..}}}). */
public final class KvTableCodec {
  private KvTableCodec() {}

  /** One namespace. */
  public static byte[] encode(Map<String, String> table) {
    return RegistryJson.write(out -> {
      out.writeStartObject();
      out.writeFieldName("table");
      RegistryJson.write(out, table);
      out.writeEndObject();
    });
  }

  /** @throws BodyException when it is not a table */
  public static Map<String, String> decode(byte[] json) {
    Map<String, String> table = new LinkedHashMap<>();
    RegistryJson.read("key-value table", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("table")) {
          table.putAll(RegistryJson.texts(in));
        }
      });
      return null;
    });
    return table;
  }

  /** All namespaces. */
  public static byte[] encodeFile(Map<String, Map<String, String>> namespaces) {
    return RegistryJson.write(out -> {
      out.useDefaultPrettyPrinter();
      out.writeStartObject();
      out.writeObjectFieldStart("configTable");
      for (Map.Entry<String, Map<String, String>> namespace : namespaces.entrySet()) {
        out.writeFieldName(namespace.getKey());
        RegistryJson.write(out, namespace.getValue());
      }
      out.writeEndObject();
      out.writeEndObject();
    });
  }

  /** @throws BodyException when it is not such a file */
  public static Map<String, Map<String, String>> decodeFile(byte[] json) {
    Map<String, Map<String, String>> namespaces = new LinkedHashMap<>();
    RegistryJson.read("key-value file", json, in -> {
      RegistryJson.object(in, name -> {
        if (name.equals("configTable")) {
          RegistryJson.object(in, namespace -> namespaces.put(namespace, RegistryJson.texts(in)));
        }
      });
      return null;
    });
    return namespaces;
  }
}
