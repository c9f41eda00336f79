package io.metaq.cli;

import io.metaq.launcher.Source;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Options every command that runs a server has. */
final class ServerOptions {
  @Option(names = "-c", paramLabel = "FILE", description = "Configuration: a broker.conf or namesrv.conf (Java properties).")
  private Path file;

  @Option(names = "-D", paramLabel = "KEY=VALUE", description = "One configuration key; wins over everything else.")
  private Map<String, String> keys = Map.of();

  @Option(names = "--http-port", paramLabel = "PORT", description = "Port of HTTP; 0 = any.")
  private String httpPort;

  /** One option as picocli would set it; false when it cannot be taken so. */
  boolean take(String option, String value) {
    switch (option) {
      case "-c" -> {
        return takeFile(value);
      }
      case "-D" -> {
        return takeKey(value);
      }
      case "--http-port" -> httpPort = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Not every text can be a path: one with characters that the system's encoding lacks cannot. */
  private boolean takeFile(String path) {
    try {
      file = Path.of(path);
      return true;
    } catch (InvalidPathException unusable) {
      return false;
    }
  }

  private boolean takeKey(String pair) {
    int equals = pair.indexOf('=');
    if (equals <= 0 || equals == pair.length() - 1) {
      return false;
    }
    if (keys.isEmpty()) {
      keys = new LinkedHashMap<>();
    }
    keys.put(pair.substring(0, equals), pair.substring(equals + 1));
    return true;
  }

  /** Everything a user configured; {@code options} are the command's own, null values were not given. */
  List<Source> sources(Map<String, String> options) {
    Map<String, String> all = new LinkedHashMap<>(keys);
    options.forEach((key, value) -> {
      if (value != null) {
        all.put(key, value);
      }
    });
    if (httpPort != null) {
      all.put("httpPort", httpPort);
    }
    List<Source> sources = new ArrayList<>();
    sources.add(Source.options(all));
    sources.add(Source.environment(System.getenv()));
    if (file != null) {
      sources.add(Source.file(file));
    }
    return sources;
  }
}
