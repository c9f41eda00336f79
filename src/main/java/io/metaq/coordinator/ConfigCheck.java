package io.metaq.coordinator;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Tells of the files below {@code config/} what a start would say, without a broker. */
public final class ConfigCheck {
  private static final List<ConfigFormat<?>> FORMATS = List.of(TopicsFile.FORMAT, GroupsFile.FORMAT, OffsetsFile.FORMAT,
      DelayOffsetsFile.FORMAT, OrderFile.FORMAT, RequestModesFile.FORMAT, ConflictsFile.FORMAT);

  private ConfigCheck() {}

  /** Why a start could not read such a file, a clause; empty when it could, or when no coordinator reads a file of this name. */
  public static Optional<String> faultOf(String fileName, byte[] content) {
    for (ConfigFormat<?> format : FORMATS) {
      if (format.fileName().equals(fileName)) {
        try {
          ConfigJson.decode(format, content);
        } catch (IOException | IllegalArgumentException fault) {
          return Optional.of(ConfigFiles.firstLine(fault));
        }
      }
    }
    return Optional.empty();
  }
}
