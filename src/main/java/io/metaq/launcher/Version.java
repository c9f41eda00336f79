package io.metaq.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which MetaQ this is. {@code commit} is {@code unknown} in a build from a source archive. */
public record Version(String version, String commit) {
  /** Of the running jar. */
  public static Version current() {
    Properties properties = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException broken) {
      throw new UncheckedIOException("cannot read version.properties", broken);
    }
    return new Version(properties.getProperty("version"), properties.getProperty("commit"));
  }

  @Override
  public String toString() {
    return version + " (" + commit + ")";
  }
}
