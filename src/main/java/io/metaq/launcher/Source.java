package io.metaq.launcher;

import io.metaq.store.DiskFault;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;

/** Values of one origin, by key as they were written. */
public record Source(Origin origin, Map<String, String> values) {
  public Source {
    values = Map.copyOf(values);
  }

  /** {@code -D} and the options of a command. */
  public static Source options(Map<String, String> values) {
    return new Source(new Origin(Origin.Kind.OPTION, "the command line"), values);
  }

  /** What a program that starts a process in itself asks for. */
  public static Source code(Map<String, String> values) {
    return new Source(new Origin(Origin.Kind.OPTION, "code"), values);
  }

  /** All variables; those that do not begin with {@code METAQ_} are left out. */
  public static Source environment(Map<String, String> variables) {
    Map<String, String> own = new LinkedHashMap<>();
    variables.forEach((name, value) -> {
      if (name.startsWith(SettingsReader.ENVIRONMENT_PREFIX)) {
        own.put(name, value);
      }
    });
    return new Source(new Origin(Origin.Kind.ENVIRONMENT, "the environment"), own);
  }

  /** {@code NAMESRV_ADDR}, when it is set. */
  static Source sharedEnvironment(Map<String, String> variables) {
    String nameServers = variables.get("NAMESRV_ADDR");
    return new Source(
        new Origin(Origin.Kind.SHARED_ENVIRONMENT, "NAMESRV_ADDR"), nameServers == null ? Map.of() : Map.of("namesrvAddr", nameServers));
  }

  /**
   * A {@code broker.conf} or {@code namesrv.conf}: Java properties.
   *
   * @throws StartFailure when it cannot be read
   */
  public static Source file(Path file) {
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      properties.load(in);
    } catch (NoSuchFileException missing) {
      throw new StartFailure("the configuration file " + file + " (-c) does not exist", missing);
    } catch (IOException | IllegalArgumentException unreadable) {
      throw new StartFailure("the configuration file " + file + " (-c) cannot be read: " + DiskFault.reasonOf(unreadable), unreadable);
    }
    Map<String, String> values = new LinkedHashMap<>();
    properties.stringPropertyNames().forEach(name -> values.put(name, properties.getProperty(name)));
    return new Source(new Origin(Origin.Kind.FILE, file.toString()), values);
  }

  /** What the entries of a descriptor configure. */
  static Source descriptor(Descriptor descriptor) {
    return new Source(new Origin(Origin.Kind.DESCRIPTOR, "the descriptor " + descriptor.name()), descriptor.config());
  }
}
