package io.metaq.launcher;

import io.metaq.bridge.BridgeVerticle;
import io.metaq.store.DiskFault;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a process runs: verticles in the order in which they begin to start; they stop in the reverse order. Read from {@code verticles/*.json};
 * README.md beside these files has the form.
 *
 * @param name file name without folder and ending
 */
public record Descriptor(String name, List<Entry> entries) {
  private static final Set<String> OPTION_KEYS = Set.of(
      "threadingModel", "instances", "workerPoolName", "workerPoolSize", "maxWorkerExecuteTime", "maxWorkerExecuteTimeUnit", "config");
  private static final Set<String> ENTRY_KEYS = Set.of("class", "options");

  public Descriptor {
    entries = List.copyOf(entries);
  }

  /**
   * One verticle.
   *
   * @param options in the form of Vert.x {@code DeploymentOptions}; {@code instances} may also be the text {@code loops}
   */
  public record Entry(String className, JsonObject options) {
    boolean isBridge() {
      return className.equals(BridgeVerticle.class.getName());
    }

    /** Class name without package, for people. */
    String shortName() {
      return className.substring(className.lastIndexOf('.') + 1);
    }
  }

  /**
   * The file of that path, or else the one of the same name that is packed into the jar.
   *
   * @throws StartFailure when there is none, or it is not a descriptor
   */
  public static Descriptor load(String path) {
    Path file = Path.of(path);
    try {
      if (Files.isRegularFile(file)) {
        return parse(path, Files.readAllBytes(file));
      }
      return packed(nameOf(path));
    } catch (IOException unreadable) {
      throw new StartFailure("the descriptor " + path + " cannot be read: " + DiskFault.reasonOf(unreadable), unreadable);
    }
  }

  /** A descriptor that is packed into the jar, by its name without ending. */
  public static Descriptor packed(String name) {
    String resource = "/verticles/" + name + ".json";
    try (InputStream in = Descriptor.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new StartFailure("there is no descriptor " + name + ", neither as a file nor packed into the jar");
      }
      return parse(name, in.readAllBytes());
    } catch (IOException unreadable) {
      throw new StartFailure("the packed descriptor " + name + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  /** The same for a process that shows nothing over HTTP. */
  public Descriptor withoutBridge() {
    return new Descriptor(name, entries.stream().filter(entry -> !entry.isBridge()).toList());
  }

  static Descriptor parse(String path, byte[] json) {
    try {
      List<Entry> entries = new ArrayList<>();
      JsonArray verticles = new JsonObject(Buffer.buffer(json)).getJsonArray("verticles");
      for (int i = 0; i < verticles.size(); i++) {
        entries.add(entry(path, verticles.getJsonObject(i)));
      }
      return new Descriptor(nameOf(path), entries);
    } catch (RuntimeException broken) {
      if (broken instanceof StartFailure) {
        throw broken;
      }
      throw new StartFailure("the descriptor " + path + " is not an object with a list \"verticles\": " + broken.getMessage(), broken);
    }
  }

  private static Entry entry(String path, JsonObject json) {
    refuseUnknown(path, json, ENTRY_KEYS);
    String className = json.getString("class");
    JsonObject options = json.getJsonObject("options", new JsonObject());
    if (className == null) {
      throw new StartFailure("the descriptor " + path + " has an entry without \"class\"");
    }
    refuseUnknown(path, options, OPTION_KEYS);
    return new Entry(className, options);
  }

  private static void refuseUnknown(String path, JsonObject json, Set<String> known) {
    for (String key : json.fieldNames()) {
      if (!known.contains(key)) {
        String near = Nearest.of(key, known).map(name -> "; did you mean \"" + name + "\"?").orElse("");
        throw new StartFailure("the descriptor " + path + " has the unknown key \"" + key + "\"" + near);
      }
    }
  }

  private static String nameOf(String path) {
    String file = Path.of(path).getFileName().toString();
    return file.endsWith(".json") ? file.substring(0, file.length() - ".json".length()) : file;
  }

  /**
   * Configuration values of all entries.
   *
   * @throws StartFailure when two entries want different values for one key
   */
  Map<String, String> config() {
    Map<String, String> all = new LinkedHashMap<>();
    for (Entry entry : entries) {
      for (Map.Entry<String, Object> value : entry.options().getJsonObject("config", new JsonObject())) {
        String text = String.valueOf(value.getValue());
        String other = all.put(value.getKey(), text);
        if (other != null && !other.equals(text)) {
          throw new StartFailure("the descriptor " + name + " sets " + value.getKey() + " twice, to \"" + other + "\" and \"" + text
              + "\"");
        }
      }
    }
    return all;
  }
}
