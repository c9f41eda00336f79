package io.metaq.launcher;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One configuration key, as the data file {@code config-keys.json} describes it.
 *
 * @param components which parts of a process read it; none: every process
 * @param section heading it stands under in docs/configuration.md
 * @param defaultValue empty when the default depends on the machine; {@code text} tells how
 * @param honoured false when it is accepted because operators' files have it, but has no effect here
 * @param alias another name it is known by, where that name is not a key of its own
 * @param values what a {@link ValueType#CHOICE} may be
 * @param refused values that end the start, with the reason; {@code *} stands for every value
 * @param secret never shown
 * @param live may be changed while the process runs
 */
public record ConfigKey(
    String name,
    Set<Component> components,
    String section,
    ValueType type,
    Optional<String> defaultValue,
    Optional<String> unit,
    boolean honoured,
    String text,
    Optional<String> alias,
    List<String> values,
    Map<String, String> refused,
    long min,
    long max,
    boolean secret,
    boolean live) {
  public ConfigKey {
    components = Set.copyOf(components);
    values = List.copyOf(values);
    refused = Map.copyOf(refused);
  }

  /** The environment variable that sets it: {@code brokerIP1} is {@code METAQ_BROKER_IP1}. */
  public String environmentName() {
    return environmentName(name);
  }

  static String environmentName(String key) {
    StringBuilder name = new StringBuilder(SettingsReader.ENVIRONMENT_PREFIX);
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean afterSmall = i > 0 && !Character.isUpperCase(key.charAt(i - 1));
      boolean beforeSmall = i > 0 && i + 1 < key.length() && Character.isLowerCase(key.charAt(i + 1));
      if (Character.isUpperCase(c) && (afterSmall || beforeSmall)) {
        name.append('_');
      }
      name.append(Character.toUpperCase(c));
    }
    return name.toString();
  }

  /** Why {@code value} ends the start, when it does. */
  Optional<String> refusal(String value) {
    return value.isEmpty() ? Optional.empty() : Optional.ofNullable(refused.getOrDefault(value, refused.get("*")));
  }

  boolean isFor(Set<Component> process) {
    return components.isEmpty() || !Collections.disjoint(components, process);
  }
}
