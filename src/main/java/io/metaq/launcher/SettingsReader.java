package io.metaq.launcher;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes the effective configuration of several sources. Files of RocketMQ operators are read tolerantly, but nothing is swallowed: an
 * unknown key is a remark that suggests the nearest known one, a key without effect here is named, a bad value ends the start.
 */
public final class SettingsReader {
  static final String ENVIRONMENT_PREFIX = "METAQ_";

  private final ConfigKeys keys;
  private final Set<Component> process;

  public SettingsReader(ConfigKeys keys, Set<Component> process) {
    this.keys = keys;
    this.process = Set.copyOf(process);
  }

  /** A reader for a process that runs what a descriptor says. */
  public static SettingsReader of(Descriptor descriptor) {
    return new SettingsReader(ConfigKeys.load(), VerticleKinds.check(descriptor));
  }

  /**
   * What came out.
   *
   * @param remarks sentences for the log, of what was given but has no effect
   */
  public record Result(Settings settings, List<String> remarks) {
    public Result {
      remarks = List.copyOf(remarks);
    }
  }

  /**
   * The strongest origin wins, wherever it stands in the list.
   *
   * @throws StartFailure for the first bad or refused value
   */
  public Result read(List<Source> sources) {
    List<String> remarks = new ArrayList<>();
    Map<String, Setting> chosen = new LinkedHashMap<>();
    sources.stream()
        .sorted(Comparator.comparing((Source source) -> source.origin().kind()).reversed())
        .forEach(source -> take(source, chosen, remarks));

    Map<String, Setting> effective = new LinkedHashMap<>();
    for (ConfigKey key : keys.all()) {
      if (key.isFor(process)) {
        Setting setting = chosen.getOrDefault(key.name(), new Setting(key, key.defaultValue(), Origin.DEFAULT));
        check(setting);
        effective.put(key.name(), setting);
      }
    }
    remarkOnKeysWithoutEffect(effective, remarks);
    return new Result(new Settings(effective), remarks);
  }

  private void take(Source source, Map<String, Setting> chosen, List<String> remarks) {
    source.values().entrySet().stream().sorted(Map.Entry.comparingByKey()).forEach(entry -> {
      String written = entry.getKey().trim();
      Optional<ConfigKey> key = source.origin().kind() == Origin.Kind.ENVIRONMENT ? byVariable(written) : keys.find(written, process);
      if (key.isEmpty()) {
        remarkOnUnknown(written, source.origin(), remarks);
      } else if (!key.get().isFor(process)) {
        remarks.add(written + " (" + source.origin() + ") is a key of the " + key.get().components().iterator().next().words()
            + ", which this process does not run; it has no effect");
      } else {
        chosen.put(key.get().name(), new Setting(key.get(), Optional.of(entry.getValue().trim()), source.origin()));
      }
    });
  }

  private Optional<ConfigKey> byVariable(String variable) {
    return keys.all().stream()
        .filter(key -> key.environmentName().equals(variable) && key.isFor(process))
        .findFirst()
        .or(() -> keys.all().stream()
            .filter(key -> key.isFor(process) && key.alias().map(ConfigKey::environmentName).filter(variable::equals).isPresent())
            .findFirst());
  }

  private void remarkOnUnknown(String written, Origin origin, List<String> remarks) {
    if (origin.kind() == Origin.Kind.ENVIRONMENT) {
      // Orchestrators set METAQ_... variables of their own (METAQ_PORT_10911_TCP and the like): only a near miss is worth a line.
      List<String> variables = keys.all().stream().filter(key -> key.isFor(process)).map(ConfigKey::environmentName).toList();
      Nearest.of(written, variables)
          .ifPresent(near -> remarks.add("unknown variable " + written + " in the environment; did you mean " + near + "?"));
      return;
    }
    String suggestion = keys.nearest(written, process).map(near -> "; did you mean " + near + "?").orElse("");
    remarks.add("unknown key " + written + " (" + origin + ") has no effect" + suggestion);
  }

  private static void check(Setting setting) {
    ConfigKey key = setting.key();
    if (setting.value().isEmpty()) {
      return;
    }
    String value = setting.value().get();
    key.type().fault(key, value).ifPresent(wanted -> {
      throw new StartFailure(key.name() + " must be " + wanted + ", not \"" + value + "\" (from " + setting.origin() + ")");
    });
    key.refusal(normal(key, value)).ifPresent(reason -> {
      throw new StartFailure(key.name() + "=" + value + " (from " + setting.origin() + ") is refused: " + reason);
    });
  }

  private static String normal(ConfigKey key, String value) {
    return key.type() == ValueType.BOOLEAN ? Boolean.toString(Boolean.parseBoolean(value)) : value;
  }

  private static void remarkOnKeysWithoutEffect(Map<String, Setting> effective, List<String> remarks) {
    for (Setting setting : effective.values()) {
      ConfigKey key = setting.key();
      if (!key.honoured() && setting.origin().chosen() && !setting.value().equals(key.defaultValue())) {
        remarks.add(key.name() + "=" + setting.shown() + " (from " + setting.origin() + ") has no effect here. " + key.text());
      }
    }
  }
}
